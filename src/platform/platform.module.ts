import type { Container, ServiceIdentifier } from 'inversify';
import type { Resource } from '../kernel/event.ts';
import type { Store } from '../kernel/store.ts';
import type { DueLoop, DueWork } from './due-work.ts';
import type { Route } from './http/route.ts';
import type { StartLoop } from './loop.ts';
import type { View } from './read-store/view.ts';
import { createReconcileLoop } from './reconcile.ts';
import { createEventRemoval } from './remove-old-events.ts';
import type { Renewal } from './renewal.ts';
import type { Removal } from './retention.ts';
import type { Services } from './services.ts';
import type { Migration } from './write-store/migrate.ts';
import type { Consumer } from './write-store/outbox.ts';
import { createFindDue, findFirstTime } from './write-store/read-resource.ts';
import type { HandleRows, Hear, Reading } from './write-store/relay.ts';
import type { StoreClock } from './write-store/store-clock.ts';
import type { Transact } from './write-store/transaction.ts';

/** Names a value of the container. */
export const token = <T>(name: string) => Symbol(name) as ServiceIdentifier<T> & symbol;

/** The token under which a process has its services. */
export const services = token<Services>('services');
export const storeClock = token<StoreClock>('storeClock');

/** The tokens of the parts that modules contribute. */
export const routes = token<readonly Route[]>('routes');
export const migrations = token<readonly Migration[]>('migrations');
/** All views, once each. */
export const views = token<readonly View[]>('views');
/** Renewals for `make rotate`. */
export const renewals = token<readonly Renewal[]>('renewals');
/** All consumers of the outbox: views, and the consumers of modules. */
export const consumers = token<readonly Consumer[]>('consumers');
/** Work that falls due without a loop that does it. */
export const due = token<readonly DueWork[]>('due');
export const work = token<Work>('work');

export type OutboxReader = Reading & { readonly consumer: string; readonly handle: HandleRows };

/** Parts that only workers have. */
export type Work = {
  /** Repeated work of a worker; each is called once at its start. */
  readonly loops?: readonly StartLoop[];
  /** Work that falls due; its loops are repeated work, too. */
  readonly dueLoops?: readonly DueLoop[];
  readonly outboxReaders?: readonly OutboxReader[];
  /** Functions that get the rows that consumers of the outbox have handled. */
  readonly witnesses?: readonly { readonly consumers: readonly string[]; readonly hear: Hear }[];
  /** Removals of records after their retention time. */
  readonly removals?: readonly Removal[];
};

/** The parts that a module adds to its process. */
export type Contributions = {
  /** Called once every module is made, where the process has an API. */
  readonly routes?: () => readonly Route[];
  readonly migrations?: readonly Migration[];
  readonly views?: readonly View[];
  /** Consumers of the outbox besides views. */
  readonly consumers?: readonly Consumer[];
  readonly renewals?: readonly Renewal[];
  /** Work that falls due and that no loop does, because it happens by itself. */
  readonly due?: readonly DueWork[];
  /** Called only in workers, so that an API process opens nothing that it does not need. */
  readonly work?: () => Work;
};

/** Binds the parts of the modules under the tokens where a process looks for them. */
export const bindContributions = (container: Container, contributed: readonly Contributions[]): void => {
  for (const one of contributed) {
    if (one.routes) container.bind(routes).toDynamicValue(one.routes);
    container.bind(migrations).toConstantValue(one.migrations ?? []);
    container.bind(renewals).toConstantValue(one.renewals ?? []);
    container.bind(due).toConstantValue(one.due ?? []);
    if (one.work) container.bind(work).toDynamicValue(one.work);
  }
};

/** The platform's own contribution. */
export const platformContributions = (deps: Services, allViews: readonly View[]): Contributions => ({
  work: () => ({ removals: [createEventRemoval({ ...deps, views: allViews })] }),
});

/** A command that runs in a transaction of its caller. */
export const inGivenTransaction =
  <D extends { readonly transact: Transact }, T>(factory: (deps: D) => T, deps: D) =>
  (transaction: Transact): T =>
    factory({ ...deps, transact: transaction });

/** Repeatedly finds resources whose outcome is open, and reconciles each. */
export const reconcileLoop = <T extends Resource>(
  services: Services,
  given: {
    readonly name: string;
    readonly of: Store<T>;
    readonly reconcile: (due: T, now: Date) => Promise<void>;
    readonly atOnce?: number;
  },
): DueLoop =>
  createReconcileLoop({
    ...given,
    kind: given.of.resource,
    findDue: createFindDue(services.db, given.of),
    findNextDue: () => findFirstTime(services.db, given.of.collection, 'reconcileAt'),
    time: services.time,
    logger: services.logger,
  });
