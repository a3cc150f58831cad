import type { GatewayError } from '../../src/kernel/errors.ts';
import type { FakeWriteStore } from '../fakes/write-store.ts';

/** The error of a command that must be refused. */
export const refusalOf = (running: Promise<unknown>): Promise<GatewayError> =>
  running.then(
    () => {
      throw new Error('the command was done');
    },
    (error: GatewayError) => error,
  );

/** Expects a refusal, after which nothing is stored and no provider was called. */
export const expectNothingDone = async (
  test: { readonly store: Pick<FakeWriteStore, 'decisions'>; readonly calls: () => unknown },
  refusal: Promise<GatewayError>,
  expected: { readonly statusCode: number; readonly code: string | undefined },
): Promise<void> => {
  const { statusCode, code } = await refusal;
  expect({ statusCode, code }).toEqual(expected);
  expect(test.store.decisions()).toEqual([]);
  expect(test.calls()).toEqual([]);
};
