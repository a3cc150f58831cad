import { later, NOW } from '../../../../test/builders.ts';
import {
  approveProposal,
  expireProposal,
  hasExpired,
  openProposal,
  PROPOSAL_DAYS,
  type Proposal,
  rejectProposal,
} from './proposal.ts';

const subject = {
  summary: 'Change operator bia@example.test: groups',
  resourceId: 'usr_bia',
  livemode: null,
  concernedUserId: 'usr_bia',
  change: '{}',
  seen: '{}',
} as const;
const by = {
  id: 'prp_1',
  kind: 'user.update',
  permission: 'admin.users.update',
  createdBy: 'usr_ana',
} as const;
const DAY = 86_400;
const open = (changes: Partial<Proposal> = {}): Proposal => ({
  ...openProposal(subject, by, NOW).data,
  ...changes,
});
const operator = (id: 'usr_ana' | 'usr_bia' | 'usr_carla', age = DAY) => ({
  id,
  since: later(-age).toISOString(),
});
const refusal = (statusCode: number, code: string) => expect.objectContaining({ statusCode, code });

describe('a proposal', () => {
  it('is carried out by a second operator, and says who that was', () => {
    expect(approveProposal(open(), operator('usr_carla'), NOW).data).toMatchObject({
      status: 'approved',
      createdBy: 'usr_ana',
      decidedBy: 'usr_carla',
      decidedAt: NOW.toISOString(),
    });
  });

  it('is not approved by its author, by the user concerned, or with an account of the same day', () => {
    const approveBy = (approver: ReturnType<typeof operator>) => () => approveProposal(open(), approver, NOW);
    expect(approveBy(operator('usr_ana'))).toThrow(refusal(403, 'APPROVAL_BY_AUTHOR'));
    expect(approveBy(operator('usr_bia'))).toThrow(refusal(403, 'APPROVAL_BY_CONCERNED'));
    expect(approveBy(operator('usr_carla', DAY - 1))).toThrow(refusal(403, 'APPROVER_TOO_NEW'));
  });

  it('is rejected by its author too, with a reason', () => {
    const { data } = rejectProposal(open(), { userId: 'usr_ana', reason: 'a mistake' }, NOW);
    expect(data).toMatchObject({ status: 'rejected', decidedBy: 'usr_ana', rejectionReason: 'a mistake' });
  });

  it.each(['approved', 'rejected', 'expired'] as const)('that is %s stays so', (status) => {
    const not = refusal(422, 'PROPOSAL_NOT_PENDING');
    expect(() => approveProposal(open({ status }), operator('usr_carla'), NOW)).toThrow(not);
    expect(() => rejectProposal(open({ status }), { userId: 'usr_ana', reason: 'no' }, NOW)).toThrow(not);
  });

  it('ends after a week, whether or not it is marked already', () => {
    const end = later(PROPOSAL_DAYS * DAY);
    expect(hasExpired(open(), later(-1, end))).toBe(false);
    expect(hasExpired(open(), end)).toBe(true);
    expect(() => approveProposal(open(), operator('usr_carla'), end)).toThrow(
      refusal(422, 'PROPOSAL_NOT_PENDING'),
    );
    expect(expireProposal(open()).data).toMatchObject({ status: 'expired', decidedBy: null });
  });
});
