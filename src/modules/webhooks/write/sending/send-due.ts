import type { DueWork } from '../../../../platform/due-work.ts';
import type { DrainQueue } from './drain-queue.ts';
import type { DueOfTest } from './due-of-test.store.ts';

/** Sends what is due in the test environment, queue after queue, for whoever advances its clock. */
export const createSendDue = (deps: {
  readonly drainQueue: DrainQueue;
  readonly dueOfTest: DueOfTest;
}): DueWork => ({
  kind: 'webhook_delivery',
  next: deps.dueOfTest.findNext,
  isQuiet: async () => !(await deps.dueOfTest.isAnyBeingSent()),
  async run(now, stopping) {
    const due = await deps.dueOfTest.findDue(now);
    const signals = { stopping, cutOff: stopping };
    for (const queue of new Set(due.map((one) => one.queue))) await deps.drainQueue(queue, signals, false);
    const stays = new Map((await deps.dueOfTest.findDue(now)).map(({ id, version }) => [id, version]));
    return due.filter(({ id, version }) => stays.get(id) !== version).length;
  },
});
