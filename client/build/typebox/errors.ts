/** Takes the place of `@sinclair/typebox/errors` in the package: names of what can be wrong, as far as it is told apart. */
export enum ValueErrorType {
  Array = 'Array',
  ArrayMaxItems = 'ArrayMaxItems',
  ArrayMinItems = 'ArrayMinItems',
  ArrayUniqueItems = 'ArrayUniqueItems',
  Boolean = 'Boolean',
  Literal = 'Literal',
  Number = 'Number',
  Object = 'Object',
  ObjectAdditionalProperties = 'ObjectAdditionalProperties',
  ObjectMaxProperties = 'ObjectMaxProperties',
  ObjectRequiredProperty = 'ObjectRequiredProperty',
  String = 'String',
  Union = 'Union',
}
