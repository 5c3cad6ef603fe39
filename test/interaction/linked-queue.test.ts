import fc from 'fast-check';
import t from 'tap';
import { LinkedQueue, type QueueNode } from '../../server/interaction/linked-queue.ts';

class Person implements QueueNode<Person> {
  previous: Person | undefined;
  next: Person | undefined;
  readonly name: number;

  constructor(name: number) {
    this.name = name;
  }
}

const names = (queue: LinkedQueue<Person>) => [...queue].map(({ name }) => name);

t.test('a queue is left in the order in which it was joined', (t) => {
  const queue = new LinkedQueue<Person>();
  t.equal(queue.first, undefined);
  for (let name = 1; name <= 3; name++) queue.push(new Person(name));
  const left: number[] = [];
  for (let first = queue.first; first; first = queue.first) {
    left.push(first.name);
    queue.remove(first);
  }
  t.strictSame(left, [1, 2, 3]);
  t.equal(queue.size, 0);
  t.end();
});

t.test('items keep their order when others join and leave, wherever they are', (t) => {
  const property = fc.property(fc.array(fc.nat({ max: 20 }), { maxLength: 80 }), (steps) => {
    const queue = new LinkedQueue<Person>();
    const model: Person[] = [];
    for (const [index, step] of steps.entries()) {
      const leaving = model[step];
      if (leaving) {
        queue.remove(leaving);
        model.splice(step, 1);
        if (leaving.previous || leaving.next) throw new Error('who has left holds on to nobody');
      } else {
        const joining = new Person(index);
        queue.push(joining);
        model.push(joining);
      }
      if (queue.size !== model.length || queue.first !== model[0]) throw new Error('the queue is out of step');
      if (String(names(queue)) !== String(model.map(({ name }) => name))) throw new Error('the order is another');
    }
  });
  t.doesNotThrow(() => fc.assert(property));
  t.end();
});

t.test('an item can be removed while the queue is iterated, and can then join another queue', (t) => {
  const queue = new LinkedQueue<Person>();
  const next = new LinkedQueue<Person>();
  for (let name = 1; name <= 4; name++) queue.push(new Person(name));
  for (const person of queue) {
    queue.remove(person);
    if (person.name % 2 === 0) next.push(person);
  }
  t.strictSame(names(queue), []);
  t.strictSame(names(next), [2, 4]);
  t.end();
});
