/** Attributes by their names in HTML; `undefined` leaves one out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Text is set as text: nothing that the server or a page said becomes HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}
