import { MERCHANT_PERMISSIONS } from '../../../kernel/principal.ts';
import { changeMerchant, type Merchant, openMerchant, parseCompanyTaxId } from './merchant.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-02T12:00:00.000Z');
const FIELDS = {
  legalName: 'Loja Exemplo Ltda',
  email: 'loja@example.test',
  companyTaxId: null,
  role: 'Merchant',
  timeZone: 'UTC',
} as const;

const open = (): Merchant => openMerchant(FIELDS, 'mer_1', NOW).data;

describe('a new merchant', () => {
  it('is active, exists in both environments and has every permission', () => {
    expect(open()).toMatchObject({
      status: 'active',
      livemode: null,
      masterId: null,
      permissions: MERCHANT_PERMISSIONS,
    });
  });
});

describe('a changed merchant', () => {
  it('keeps what the change does not name', () => {
    const { data, type } = changeMerchant(open(), { email: 'new@example.test' }, LATER);
    expect(type).toBe('merchant.updated');
    expect(data).toEqual({ ...open(), email: 'new@example.test', updatedAt: LATER.toISOString() });
  });

  it('cannot become a master where it is a sub-merchant', () => {
    const submerchant = { ...open(), masterId: 'mer_0' } as const;
    expect(() => changeMerchant(submerchant, { role: 'MerchantMaster' }, LATER)).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'SUBMERCHANT_CANNOT_BE_MASTER' }),
    );
  });
});

describe('a company tax id', () => {
  it.each([
    ['12.345.678/0001-95', '12345678000195'],
    ['123.456.789-09', '12345678909'],
    ['12.abc.345/01de-35', '12ABC34501DE35'],
  ])('%s is kept without punctuation', (given, digits) => {
    expect(parseCompanyTaxId(given)).toBe(digits);
  });

  it.each([
    '',
    '1234567890',
    '123456789012',
    '123456780001950',
    '12.345.678/0001-9X',
    '12_ABC_34501DE35',
    '123456789AB',
    '１２３４５６７８９０９',
  ])('%s is none', (given) => {
    expect(parseCompanyTaxId(given)).toBeNull();
  });
});
