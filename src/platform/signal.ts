/** Tells those who listen that something happened, without saying what. */
export type Signal = { readonly raise: () => void; readonly listen: (listener: () => void) => void };

export const createSignal = (): Signal => {
  const listeners: (() => void)[] = [];
  return {
    raise: () => {
      for (const listener of listeners) listener();
    },
    listen: (listener) => {
      listeners.push(listener);
    },
  };
};
