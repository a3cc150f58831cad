import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { forgetUnlessShown } from '../../../platform/read-store/resources.ts';
import { deleteDocuments, type View } from '../../../platform/read-store/view.ts';
import type { Database } from '../../../platform/write-store/database.ts';
import { DELIVERIES_VIEW } from './delivery.view.ts';
import { EVENTS_VIEW } from './event.view.ts';

const DELIVERIES = DELIVERIES_VIEW;
const EVENTS = EVENTS_VIEW;

/** The views of events and deliveries, which forget documents that are removed from the write store. */
export type WebhookViews = {
  /** Throws while the views cannot remove documents. */
  ready(): Promise<unknown>;
  forgetDeliveries(ids: readonly string[]): Promise<void>;
  /** Removes events that no delivery or domain event needs any more. */
  forgetEvents(ids: readonly string[]): Promise<void>;
};

export const createWebhookViews = (deps: {
  readonly db: Database;
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
}): WebhookViews => ({
  ready: () => Promise.all([DELIVERIES, EVENTS].map(deps.viewReady)),
  forgetDeliveries: (ids) => deleteDocuments(deps.readStore, DELIVERIES, ids),
  forgetEvents: (ids) => forgetUnlessShown({ db: deps.db, readStore: deps.readStore, view: EVENTS }, ids),
});
