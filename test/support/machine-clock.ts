/**
 * Sets the clock of this process, and so of the gateway in it, ahead by `byMs` while `use` runs; back where it is
 * negative.
 */
export const whileClockIsOff = async (byMs: number, use: () => Promise<void>): Promise<void> => {
  const TrueDate = globalThis.Date;
  class WrongDate extends TrueDate {
    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(TrueDate.now() + byMs);
      else super(...(given as [string]));
    }
    static override now(): number {
      return TrueDate.now() + byMs;
    }
  }
  globalThis.Date = WrongDate as DateConstructor;
  try {
    await use();
  } finally {
    globalThis.Date = TrueDate;
  }
};
