/** Work that is in flight in this process, by a key. */
type InFlight = {
  /** Counts the work as in flight until it ends, well or not. */
  track<T>(key: string, work: Promise<T>): Promise<T>;
  /** Waits for the end of everything that is in flight now. */
  settled(key: string): Promise<void>;
};

export const createInFlight = (): InFlight => {
  const byKey = new Map<string, Set<Promise<unknown>>>();
  return {
    async track(key, work) {
      const others = byKey.get(key) ?? new Set();
      byKey.set(key, others.add(work));
      try {
        return await work;
      } finally {
        others.delete(work);
        if (others.size === 0) byKey.delete(key);
      }
    },
    async settled(key) {
      await Promise.allSettled(byKey.get(key) ?? []);
    },
  };
};
