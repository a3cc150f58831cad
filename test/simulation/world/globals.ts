import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Transform } from 'node:stream';
import timers from 'node:timers/promises';
import zlib from 'node:zlib';
import type { Random } from './random.ts';
import type { Planned, Scheduler } from './scheduler.ts';

type Callback = (...args: unknown[]) => void;

/** A timer as the system's functions return it. */
class Timer {
  private planned: Planned | null = null;
  private readonly again: () => Planned;

  constructor(again: () => Planned) {
    this.again = again;
    this.planned = again();
  }

  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  refresh(): this {
    this.stop();
    this.planned = this.again();
    return this;
  }
  stop(): void {
    this.planned?.cancel();
    this.planned = null;
  }
  close(): this {
    this.stop();
    return this;
  }
}

const timersOf = (scheduler: Scheduler) => {
  const setTimeout = (run: Callback, ms = 0, ...args: unknown[]) =>
    new Timer(() => scheduler.plan(Math.max(1, ms), () => run(...args)));
  const setInterval = (run: Callback, ms = 0, ...args: unknown[]) => {
    const timer: Timer = new Timer(() =>
      scheduler.plan(Math.max(1, ms), () => {
        timer.refresh();
        run(...args);
      }),
    );
    return timer;
  };
  const setImmediate = (run: Callback, ...args: unknown[]) =>
    new Timer(() => scheduler.plan(0, () => run(...args)));
  const stop = (timer: unknown): void => {
    if (timer instanceof Timer) timer.stop();
  };
  return {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
  };
};

type Sleeping = { readonly signal?: AbortSignal };

const sleeping =
  (scheduler: Scheduler) =>
  <T>(ms = 0, value?: T, { signal }: Sleeping = {}): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const planned = scheduler.plan(ms, () => resolve(value));
      signal?.addEventListener('abort', () => {
        planned.cancel();
        reject(new DOMException('This operation was aborted', 'AbortError'));
      });
    });

/** The system's dates, of which those that are made without a time have the simulated one. */
const dateOf = (RealDate: DateConstructor, now: () => number): DateConstructor =>
  new Proxy(RealDate, {
    construct: (target, args: [], newTarget) =>
      args.length === 0
        ? Reflect.construct(target, [now()], newTarget)
        : Reflect.construct(target, args, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });

const randomOf = (random: Random) => {
  const bytes = (size: number): Buffer => {
    const made = Buffer.alloc(size);
    random.fill(made);
    return made;
  };
  return {
    randomBytes: bytes,
    randomFillSync: <T extends NodeJS.ArrayBufferView>(into: T): T => {
      random.fill(new Uint8Array(into.buffer, into.byteOffset, into.byteLength));
      return into;
    },
    randomInt: (first: number, limit?: number): number =>
      limit === undefined ? random.below(first) : first + random.below(limit - first),
    randomUUID: (): string => {
      const made = bytes(16);
      made[6] = ((made[6] ?? 0) & 0x0f) | 0x40;
      made[8] = ((made[8] ?? 0) & 0x3f) | 0x80;
      const hex = made.toString('hex');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
        '-',
      );
    },
  };
};

/** Compresses at once: the system's own does so beside the event loop, and nobody can tell when it is done. */
const createDeflate = (options?: zlib.ZlibOptions): Transform => {
  const parts: Buffer[] = [];
  return new Transform({
    transform(part, _, done) {
      parts.push(part);
      done();
    },
    flush(done) {
      done(null, zlib.deflateSync(Buffer.concat(parts), options));
    },
  });
};

/**
 * Puts the simulated time and chance where the program takes them from: the globals and the modules of Node.js. The
 * program is not told. Returns what puts the real ones back.
 */
export const simulateGlobals = (scheduler: Scheduler, random: Random): (() => void) => {
  const undo: (() => void)[] = [];
  const change = (of: object, to: object): void => {
    for (const [name, value] of Object.entries(to)) {
      const before = Object.getOwnPropertyDescriptor(of, name);
      Object.defineProperty(of, name, { value, writable: true, configurable: true, enumerable: true });
      undo.push(() => {
        if (before) Object.defineProperty(of, name, before);
        else Reflect.deleteProperty(of, name);
      });
    }
  };
  const now = (): number => scheduler.now;
  const began = scheduler.now;
  change(globalThis, { ...timersOf(scheduler), Date: dateOf(Date, () => Math.floor(now())) });
  change(Math, { random: () => random.next() });
  change(performance, { now: () => now() - began });
  const sleep = sleeping(scheduler);
  change(timers, { setTimeout: sleep, setImmediate: (value?: unknown) => sleep(0, value) });
  change(crypto, randomOf(random));
  change(zlib, { createDeflate });
  syncBuiltinESMExports();
  return () => {
    for (const one of undo.reverse()) one();
    syncBuiltinESMExports();
  };
};
