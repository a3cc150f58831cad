/** Something that will happen, in the process that it belongs to. */
type Event = {
  readonly at: number;
  readonly order: number;
  readonly owner: string;
  run: (() => void) | null;
};

export type Planned = { cancel(): void };

/** After this many events a run is taken for one that goes round in circles. */
const MAX_EVENTS = 20_000_000;

/** Real work beside the event loop ends at a time that no seed determines. */
const REAL_WORK = [
  'FSReqPromise',
  'FSReqCallback',
  'GetAddrInfoReqWrap',
  'TCPSocketWrap',
  'Zlib',
  'RandomBytesJob',
];
const LOOK_EVERY = 97;
const realWork = (): string | undefined =>
  process.getActiveResourcesInfo().find((kind) => REAL_WORK.includes(kind));

const assertNoRealWork = (): void => {
  const found = realWork();
  if (found !== undefined) throw new Error(`a simulated run has begun real work: ${found}`);
};

/** The system's own, before the simulated ones take their place. */
const afterThis = setImmediate;

/**
 * Waits for the real work that loading the program has begun. MongoDB's driver, for one, looks once in a process
 * whether it runs in a container, and on a busy machine that look lasts longer than loading does.
 */
export const untilLoaded = async (): Promise<void> => {
  while (realWork() !== undefined) await new Promise<void>((resolve) => void afterThis(resolve));
};

/**
 * The only source of time, and of what happens next. Everything that follows from an event, up to where it waits for
 * another one, happens before the next event. So one event belongs to one process.
 */
export class Scheduler {
  /** Milliseconds since 1970. */
  now: number;
  /** The process whose code runs at the moment. */
  owner = 'world';
  private readonly heap: Event[] = [];
  private readonly dead = new Set<string>();
  private order = 0;
  private done = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** Plans something for a process, by default the one whose code runs; a process that is dead does nothing. */
  plan(afterMs: number, run: () => void, owner: string = this.owner): Planned {
    const at = this.now + Math.max(0, Number.isFinite(afterMs) ? afterMs : 0);
    this.order += 1;
    const event: Event = { at, order: this.order, owner, run };
    this.push(event);
    return {
      cancel: () => {
        event.run = null;
      },
    };
  }

  /** Ends a process between two of its statements: nothing that it has planned happens. */
  kill(owner: string): void {
    this.dead.add(owner);
  }

  isDead(owner: string): boolean {
    return this.dead.has(owner);
  }

  /** Lets everything happen until `isOver` says so; throws where nothing is left to happen. */
  async runUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const event = this.pop();
      if (!event) throw new Error('nothing is left to happen, and the run is not over');
      if (event.run === null || this.dead.has(event.owner)) continue;
      this.done += 1;
      if (this.done > MAX_EVENTS) throw new Error('the run does not end');
      this.now = Math.max(this.now, event.at);
      this.owner = event.owner;
      event.run();
      if (this.done % LOOK_EVERY === 0) assertNoRealWork();
      // Promises that this has kept go on before the system's next turn.
      await new Promise<void>((resolve) => {
        afterThis(resolve);
      });
      this.owner = 'world';
    }
  }

  /** Lets so much time pass. */
  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.plan(
      ms,
      () => {
        isOver = true;
      },
      'world',
    );
    await this.runUntil(() => isOver);
  }

  /** Has all processes stand still for so long, as machines do that sleep: timers of that time are late. */
  leap(ms: number): void {
    this.now += ms;
  }

  private isBefore(a: Event, b: Event): boolean {
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  private push(event: Event): void {
    const { heap } = this;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent] as Event;
      if (!this.isBefore(event, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
  }

  private pop(): Event | null {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last) return null;
    if (heap.length > 0) this.sink(last);
    return first;
  }

  private sink(event: Event): void {
    const { heap } = this;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      let child = left;
      if (right < heap.length && this.isBefore(heap[right] as Event, heap[left] as Event)) child = right;
      const below = heap[child];
      if (!below || !this.isBefore(below, event)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = event;
  }
}
