import { date, flag, hidden, keyword, line, shown, stored } from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { PROPOSALS } from '../write/proposal.ts';

const shownChange = (change: string) =>
  JSON.parse(change) as { readonly before: object | null; readonly after: object };

export const PROPOSALS_VIEW = defineView({
  name: 'proposals',
  version: 1,
  source: PROPOSALS,
  fields: {
    id: keyword(),
    kind: keyword(),
    summary: stored(),
    resourceId: line(),
    livemode: flag(),
    permission: hidden(keyword()),
    concernedUserId: hidden(stored()),
    change: shown(stored(), shownChange),
    status: keyword(),
    createdBy: keyword(),
    decidedBy: keyword(),
    rejectionReason: stored(),
    decidedAt: date(),
    expiresAt: date(),
    createdAt: date(),
  },
});

/** A proposal as the API answers it. */
export const presentProposal = PROPOSALS_VIEW.present;
