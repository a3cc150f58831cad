import {
  decimal,
  flag,
  from,
  hidden,
  json,
  keyword,
  name,
  ofMerchant,
  stored,
  timestamps,
  words,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { PLANS, type Plan } from '../write/plan.ts';

export const PLANS_VIEW = defineView({
  name: 'plans',
  version: 1,
  source: PLANS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    ...ofMerchant,
    name: name(),
    amount: decimal(),
    currency: keyword(),
    interval: keyword(),
    intervalCount: stored(),
    trialDays: stored(),
    description: stored(),
    metadata: json(),
    active: flag(),
    ...timestamps,
    words: hidden(
      from(words(), ({ name: called, description }: Plan) => [called, description ?? ''].join(' ')),
    ),
  },
});

/** A plan of the write store as the API answers it. */
export const presentPlan = (plan: Plan) => PLANS_VIEW.present(PLANS_VIEW.toDocument(plan));
