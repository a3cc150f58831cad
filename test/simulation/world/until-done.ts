import type { World } from './world.ts';

/** Lets the world go on until something that it is asked for is done. */
export const untilDone = async <T>(
  { scheduler }: Pick<World, 'scheduler'>,
  work: () => Promise<T>,
): Promise<T> => {
  const ended: { result?: T; error?: unknown; isOver: boolean } = { isOver: false };
  scheduler.plan(
    0,
    () => {
      work().then(
        (result) => Object.assign(ended, { result, isOver: true }),
        (error: unknown) => Object.assign(ended, { error, isOver: true }),
      );
    },
    'world',
  );
  await scheduler.runUntil(() => ended.isOver);
  if ('error' in ended) throw ended.error;
  return ended.result as T;
};
