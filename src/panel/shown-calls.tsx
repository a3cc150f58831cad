import { useEffect, useSyncExternalStore } from 'react';
import type { Call } from './api.ts';

let shown: readonly Call[] = [];
const listeners = new Set<() => void>();

const change = (next: readonly Call[]): void => {
  shown = next;
  for (const tell of listeners) tell();
};

const listen = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

const keyOf = ({ operation, input }: Call): string => JSON.stringify([operation, input]);

/** Says that the screen shows the answer to a call, so that its menu "API" has it. Draws nothing. */
export const ShownCall = ({ call }: { readonly call: Call }) => {
  const key = keyOf(call);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call that is made anew with each drawing is the former one
  useEffect(() => {
    change([...shown, call]);
    return () => change(shown.filter((one) => one !== call));
  }, [key]);
  return null;
};

/** The calls of the screen, each once. */
export const useShownCalls = (): readonly Call[] => {
  const calls = useSyncExternalStore(listen, () => shown);
  const keys = calls.map(keyOf);
  return calls.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
};
