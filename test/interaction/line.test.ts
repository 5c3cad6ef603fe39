import fc from 'fast-check';
import t from 'tap';
import { Line, type Standing } from '../../server/interaction/line.ts';

class Person implements Standing<Person> {
  before: Person | undefined;
  behind: Person | undefined;
  readonly name: number;

  constructor(name: number) {
    this.name = name;
  }
}

const names = (line: Line<Person>) => [...line].map(({ name }) => name);

t.test('a line is left in the order in which it was joined', (t) => {
  const line = new Line<Person>();
  t.equal(line.first, undefined);
  for (let name = 1; name <= 3; name++) line.join(new Person(name));
  const left: number[] = [];
  for (let first = line.first; first; first = line.first) {
    left.push(first.name);
    line.leave(first);
  }
  t.strictSame(left, [1, 2, 3]);
  t.equal(line.size, 0);
  t.end();
});

t.test('whoever joins and leaves, wherever they stand, the others keep their places', (t) => {
  const property = fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 80 }), (steps) => {
    const line = new Line<Person>();
    const model: Person[] = [];
    for (const [index, step] of steps.entries()) {
      const leaving = model[step];
      if (leaving) {
        line.leave(leaving);
        model.splice(step, 1);
        if (leaving.before || leaving.behind) throw new Error('who has left holds on to nobody');
      } else {
        const joining = new Person(index);
        line.join(joining);
        model.push(joining);
      }
      if (line.size !== model.length || line.first !== model[0]) throw new Error('the line is out of step');
      if (String(names(line)) !== String(model.map(({ name }) => name))) throw new Error('the order is another');
    }
  });
  t.doesNotThrow(() => fc.assert(property));
  t.end();
});

t.test('who is looked at may leave, and one line be joined after the other', (t) => {
  const line = new Line<Person>();
  const next = new Line<Person>();
  for (let name = 1; name <= 4; name++) line.join(new Person(name));
  for (const person of line) {
    line.leave(person);
    if (person.name % 2 === 0) next.join(person);
  }
  t.strictSame(names(line), []);
  t.strictSame(names(next), [2, 4]);
  t.end();
});
