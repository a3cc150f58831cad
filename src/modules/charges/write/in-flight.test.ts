import { createInFlight } from './in-flight.ts';

describe('work in flight', () => {
  it('of a key is waited for until it ends, well or not', async () => {
    const { track, settled } = createInFlight();
    const ended: string[] = [];
    const work = async (name: string, fails = false): Promise<string> => {
      await new Promise(setImmediate);
      ended.push(name);
      if (fails) throw new Error(name);
      return name;
    };
    const [one, other] = [track('a', work('one')), track('a', work('other', true))];
    const refused = expect(other).rejects.toThrow('other');
    await settled('a');
    expect(ended).toEqual(['one', 'other']);
    expect(await one).toBe('one');
    await refused;
  });

  it('of another key, or that has ended, is not waited for', async () => {
    const { track, settled } = createInFlight();
    const never = new Promise<never>(() => undefined);
    void track('b', never);
    await track('a', Promise.resolve());
    await settled('a');
  });
});
