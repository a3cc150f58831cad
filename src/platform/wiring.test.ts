import { Container } from 'inversify';
import {
  all,
  bindContributions,
  bindProvided,
  contribute,
  implement,
  member,
  provide,
  provideEach,
  token,
} from './wiring.ts';

const settings = token<{ readonly greeting: string; readonly times: number }>('settings');
const names = token<string>('names');
const port = token<() => string>('port');

type Greet = () => string;
const createGreet =
  (deps: { readonly greeting: string; readonly names: readonly string[]; readonly suffix: string }): Greet =>
  () =>
    `${deps.greeting} ${deps.names.join(' and ')}${deps.suffix}`;
const createTwice = (greet: Greet, times: number) => ({ greeting: greet().repeat(times) });

const greet = provide(createGreet, {
  greeting: member(settings, 'greeting'),
  names: all(names),
  suffix: '!',
});
const twice = provide(createTwice, greet, member(settings, 'times'));
const one = provide(() => 'one');
implement(port, (said: { readonly greeting: string }) => () => said.greeting, twice);

const createContainer = (): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(settings).toConstantValue({ greeting: 'hello', times: 2 });
  container.load(
    bindProvided(),
    bindContributions([contribute(names, one, 'two'), contribute(names, 'three')]),
  );
  return container;
};

test('a value is made from members, contributions and plain values', () => {
  expect(createContainer().get(greet)()).toBe('hello one and two and three!');
});

test('a lower module gets what a higher one implements', () => {
  expect(createContainer().get(port)()).toBe('hello one and two and three!'.repeat(2));
});

test('a value is made once in a container', () => {
  const container = createContainer();
  expect(container.get(twice)).toBe(container.get(twice));
  expect(container.get(twice)).not.toBe(createContainer().get(twice));
});

test('the compiler refuses dependencies that a factory does not take', () => {
  const mistakes = [
    // @ts-expect-error A dependency is missing.
    () => provide(createGreet, { greeting: 'hello', names: all(names) }),
    // @ts-expect-error A dependency has another name.
    () => provide(createGreet, { greeting: 'hello', names: all(names), suffix: '!', prefix: one }),
    // @ts-expect-error A dependency has another type.
    () => provide(createTwice, greet, member(settings, 'greeting')),
    // @ts-expect-error A contribution has another type.
    () => contribute(names, greet),
  ];
  expect(mistakes).toHaveLength(4);
});

test('each of several factories takes what it needs from one scope, and names what it makes', () => {
  const scope = { greeting: member(settings, 'greeting'), names: all(names), suffix: '?', times: 3 };
  const { twice: times, question } = provideEach(scope, {
    createTwice: (values: { readonly times: number }) => values.times,
    createQuestion: createGreet,
  });
  const container = createContainer();
  expect([container.get(times), container.get(question)()]).toEqual([3, 'hello one and two and three?']);
  // @ts-expect-error The scope has no names.
  expect(() => provideEach({ greeting: 'hello', suffix: '' }, { createGreet })).not.toThrow();
});
