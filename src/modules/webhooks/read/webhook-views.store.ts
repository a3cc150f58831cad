import type { Db } from 'mongodb';
import type { ReadStore } from '../../../platform/read-store/elastic.ts';
import { forgetUnlessShown } from '../../../platform/read-store/resources.ts';
import { deleteDocuments, type View } from '../../../platform/read-store/view.ts';
import { DELIVERIES_VIEW } from './delivery.view.ts';
import { EVENTS_VIEW } from './event.view.ts';

const DELIVERIES = DELIVERIES_VIEW as unknown as View;
const EVENTS = EVENTS_VIEW as unknown as View;

/** The views of what was sent, which forget what is removed from the write store. */
export type WebhookViews = {
  /** Throws while the views cannot forget anything. */
  ready(): Promise<unknown>;
  forgetDeliveries(ids: readonly string[]): Promise<void>;
  /** Forgets events that are shown for nothing else. */
  forgetEvents(ids: readonly string[]): Promise<void>;
};

export const createWebhookViews = (deps: {
  readonly db: Db;
  readonly readStore: ReadStore;
  readonly viewReady: (view: View) => Promise<void>;
}): WebhookViews => ({
  ready: () => Promise.all([DELIVERIES, EVENTS].map(deps.viewReady)),
  forgetDeliveries: (ids) => deleteDocuments(deps.readStore, DELIVERIES, ids),
  forgetEvents: (ids) => forgetUnlessShown({ db: deps.db, readStore: deps.readStore, view: EVENTS }, ids),
});
