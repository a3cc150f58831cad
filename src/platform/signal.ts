/** Tells listeners which consumers of the outbox have work. */
export type Signal = {
  readonly raise: (consumers: ReadonlySet<string>) => void;
  readonly listen: (listener: (consumers: ReadonlySet<string>) => void) => void;
};

export const createSignal = (): Signal => {
  const listeners: ((consumers: ReadonlySet<string>) => void)[] = [];
  return {
    raise: (consumers) => {
      for (const listener of listeners) listener(consumers);
    },
    listen: (listener) => {
      listeners.push(listener);
    },
  };
};
