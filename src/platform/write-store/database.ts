import type { Db } from 'mongodb';
import type { TenantId } from '../../kernel/tenant.ts';
import { STORE_PROFILES, type StoreLimits } from './limits.ts';
import type { StoredResource } from './stored-resource.ts';

/** A value to look for, and the tenant of its documents if that is known. */
export type Wanted = { readonly value: string; readonly tenantId: TenantId | null };

/** How the documents of a database are distributed, which every process learns from its settings. */
export type Layout = {
  /** Collections whose documents are stored by tenant, so that statements name the tenant. */
  readonly spread: ReadonlySet<string>;
  /**
   * Number of parts into which this process divides the work of each consumer. More parts let more workers share it,
   * while fewer parts make fewer rows. Workers accept rows of any number, so it may differ between processes.
   */
  readonly outboxShards: number;
};

/**
 * The driver's database with its layout, its limits, and the readers that join simultaneous reads into one statement.
 */
export type Database = Db & {
  readonly layout: Layout;
  /** The limits, which may change once the server has said what it is. */
  readonly limits: () => StoreLimits;
  readonly readers: Map<string, (wanted: Wanted) => Promise<StoredResource | null>>;
};

const WHOLE: Layout = { spread: new Set(), outboxShards: 64 };

export const databaseOf = (
  db: Db,
  layout: Partial<Layout> = {},
  limits: () => StoreLimits = () => STORE_PROFILES.local,
): Database => Object.assign(db, { layout: { ...WHOLE, ...layout }, limits, readers: new Map() });
