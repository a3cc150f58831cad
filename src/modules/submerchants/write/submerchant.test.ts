import fc from 'fast-check';
import { later, NOW } from '../../../../test/builders.ts';
import type { MerchantPrincipal } from '../../../kernel/principal.ts';
import { MERCHANT_STATUSES, type Merchant, openMerchant } from '../../merchants/write/merchant.ts';
import { ENABLE_CONNECT, putSetting } from '../../merchants/write/setting.ts';
import {
  assertMaster,
  changeSubmerchant,
  isMasterOf,
  maySeeSubmerchant,
  moveStatus,
  openSubmerchant,
} from './submerchant.ts';

const LATER = later(86_400);
const FIELDS = {
  legalName: 'Filial Ltda',
  email: 'filial@example.test',
  companyTaxId: '11222333000181',
  phone: null,
  address: { country: 'BR' },
  postbackUrl: 'https://example.test/status',
};
const WRONG_CHECK_DIGITS = '11222333000182';

const master: Merchant = {
  ...openMerchant(
    {
      legalName: 'Mestre SA',
      email: 'mestre@example.test',
      companyTaxId: null,
      role: 'MerchantMaster',
      timeZone: 'America/Sao_Paulo',
    },
    'mer_master',
    NOW,
  ).data,
  permissions: ['charges.create', 'submerchants.manage'],
};
const open = (livemode = false): Merchant => openSubmerchant(FIELDS, master, livemode, 'mer_sub', NOW).data;
const caller = (merchantId: string, livemode: boolean): MerchantPrincipal => ({
  kind: 'merchant',
  actor: { kind: 'key', id: 'key_1' },
  credential: 'secret_key',
  merchantId: merchantId as MerchantPrincipal['merchantId'],
  masterId: null,
  livemode,
  permissions: [],
});

describe('a new sub-merchant', () => {
  it('waits for approval and inherits permissions and time zone of its master, not its role', () => {
    expect(openSubmerchant(FIELDS, master, true, 'mer_sub', NOW)).toEqual({
      type: 'account.created',
      data: {
        ...FIELDS,
        id: 'mer_sub',
        version: 0,
        role: 'Merchant',
        masterId: 'mer_master',
        status: 'pre_approved',
        statusReason: null,
        livemode: true,
        permissions: ['charges.create', 'submerchants.manage'],
        timeZone: 'America/Sao_Paulo',
        createdAt: NOW.toISOString(),
        updatedAt: NOW.toISOString(),
      },
    });
  });

  it.each([true, false])('cannot have a tax id with wrong check digits, live: %s', (livemode) => {
    const fields = { ...FIELDS, companyTaxId: WRONG_CHECK_DIGITS };
    expect(() => openSubmerchant(fields, master, livemode, 'mer_sub', NOW)).toThrow(
      expect.objectContaining({ statusCode: 400 }),
    );
  });
});

describe('a changed sub-merchant', () => {
  it('keeps what the change does not name', () => {
    const { type, data } = changeSubmerchant(open(), { companyTaxId: null }, LATER);
    expect(type).toBe('account.updated');
    expect(data).toEqual({ ...open(), companyTaxId: null, updatedAt: LATER.toISOString() });
  });

  it('keeps the tax id that was approved, because payouts go to it', () => {
    const verified = expect.objectContaining({ statusCode: 422, code: 'COMPANY_TAX_ID_VERIFIED' });
    for (const status of ['active', 'blocked'] as const) {
      const approved = { ...open(), status };
      for (const companyTaxId of ['11444777000161', null])
        expect(() => changeSubmerchant(approved, { companyTaxId }, LATER)).toThrow(verified);
      const { data } = changeSubmerchant(approved, { companyTaxId: FIELDS.companyTaxId, phone: '1' }, LATER);
      expect(data.phone).toBe('1');
      const without = { ...approved, companyTaxId: null };
      expect(() => changeSubmerchant(without, { companyTaxId: '11444777000161' }, LATER)).toThrow(verified);
    }
  });

  it.each([true, false])('cannot get a tax id with wrong check digits, live: %s', (livemode) => {
    expect(() => changeSubmerchant(open(livemode), { companyTaxId: WRONG_CHECK_DIGITS }, LATER)).toThrow(
      expect.objectContaining({ statusCode: 400 }),
    );
  });

  it('keeps a tax id with wrong check digits that a former version took', () => {
    const former = { ...open(), companyTaxId: WRONG_CHECK_DIGITS };
    const changes = { companyTaxId: WRONG_CHECK_DIGITS, phone: '1' };
    expect(changeSubmerchant(former, changes, LATER).data.phone).toBe('1');
  });
});

describe('the status of a sub-merchant', () => {
  const ALLOWED = [
    'pre_approved>active',
    'pre_approved>rejected',
    'active>blocked',
    'blocked>active',
    'rejected>pre_approved',
  ];
  const moves = MERCHANT_STATUSES.flatMap((from) => MERCHANT_STATUSES.map((to) => [from, to] as const));

  it.each(moves)('moves from %s to %s only where the review allows it', (from, to) => {
    const move = () => moveStatus({ ...open(), status: from }, { status: to, reason: 'seen' }, LATER);
    if (ALLOWED.includes(`${from}>${to}`)) {
      expect(move()).toEqual({
        type: to === 'active' ? 'account.approved' : 'account.status_changed',
        data: { ...open(), status: to, statusReason: 'seen', updatedAt: LATER.toISOString() },
      });
    } else {
      expect(move).toThrow(expect.objectContaining({ statusCode: 422, code: 'TRANSITION_NOT_ALLOWED' }));
    }
  });

  it('moves from what the operator read only, where it names that', () => {
    const submerchant = { ...open(), version: 3 };
    const move = (version: number) =>
      moveStatus(submerchant, { status: 'active', reason: null, version }, LATER);
    expect(move(3).data.status).toBe('active');
    expect(() => move(2)).toThrow(expect.objectContaining({ statusCode: 409, code: 'VERSION_CHANGED' }));
  });

  it('is never sellable again without an operator who says active', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...MERCHANT_STATUSES), { maxLength: 12 }), (wanted) => {
        let submerchant = open();
        for (const status of wanted) {
          try {
            submerchant = moveStatus(submerchant, { status, reason: null }, LATER).data;
            expect(submerchant.status).toBe(status);
          } catch (error) {
            expect(error).toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' });
          }
        }
      }),
    );
  });
});

describe('a master', () => {
  const setting = (content: unknown) =>
    putSetting(null, { id: 'set_1', merchantId: master.id, name: ENABLE_CONNECT, content }, NOW).data;

  it('is a merchant of that role with the module enabled', () => {
    expect(() => assertMaster(master, setting(true))).not.toThrow();
  });

  it.each([
    ['nobody', null, setting(true), 'MASTER_ONLY'],
    ['a merchant of another role', { ...master, role: 'Merchant' as const }, setting(true), 'MASTER_ONLY'],
    ['one without the setting', master, null, 'CONNECT_NOT_ENABLED'],
    ['one whose setting is false', master, setting(false), 'CONNECT_NOT_ENABLED'],
  ])('is not %s', (_, merchant, connect, code) => {
    expect(() => assertMaster(merchant, connect)).toThrow(expect.objectContaining({ statusCode: 403, code }));
  });

  it('is master of its sub-merchants in their environment only', () => {
    expect(isMasterOf(caller('mer_master', false), open())).toBe(true);
    expect(isMasterOf(caller('mer_master', true), open())).toBe(false);
    expect(isMasterOf(caller('mer_other', false), open())).toBe(false);
    expect(isMasterOf(caller('mer_sub', false), open())).toBe(false);
  });

  it('sees its sub-merchants, these see themselves, and nobody sees a merchant of its own', () => {
    expect(maySeeSubmerchant(caller('mer_master', false), open())).toBe(true);
    expect(maySeeSubmerchant(caller('mer_sub', false), open())).toBe(true);
    expect(maySeeSubmerchant(caller('mer_sibling', false), open())).toBe(false);
    expect(maySeeSubmerchant(caller('mer_master', false), master)).toBe(false);
  });
});
