import type { Principal } from '../../../kernel/principal.ts';
import { tenantOf } from '../../../kernel/tenant.ts';
import { type Conditions, environmentOrBoth, tenantCondition } from '../../../platform/read-store/scope.ts';
import { mayNote, SUBJECT_TYPES } from '../write/note.ts';

/** Restricts a search to the notes that the caller may read (`mayReadNote`). */
export const noteScope = (principal: Principal): Conditions => {
  const readable = SUBJECT_TYPES.filter((type) => mayNote(principal, type));
  const common = [
    environmentOrBoth(principal),
    { terms: { resource: readable } },
    { bool: { must_not: [{ exists: { field: 'deletedAt' } }] } },
  ];
  if (principal.kind === 'operator') return common;
  const own = [{ term: { merchantId: principal.merchantId } }, { term: { masterId: principal.merchantId } }];
  return [
    ...tenantCondition(tenantOf(principal)),
    ...common,
    { term: { audience: 'merchant' } },
    { bool: { should: own, minimum_should_match: 1 } },
  ];
};
