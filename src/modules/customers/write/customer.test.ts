import { later, NOW } from '../../../../test/builders.ts';
import {
  type CustomerFields,
  type CustomerRecord,
  changeCustomer,
  deleteCustomer,
  openCustomer,
} from './customer.ts';

const FIELDS: CustomerFields = {
  name: 'Ana Souza',
  email: 'ana@example.test',
  document: { type: 'cpf', id: '529.982.247-25' },
  phone: '+55 11 98765-4321',
  address: { country: 'BR', city: 'São Paulo' },
  reference: 'customer-1001',
  metadata: { loyalty: 'gold' },
};
const OWNER = { merchantId: 'mer_1', masterId: null, livemode: false } as const;

const open = (changes: Partial<CustomerFields> = {}) =>
  openCustomer({ ...FIELDS, ...changes }, OWNER, 'cus_1', NOW);
const aCustomer = (changes: Partial<CustomerRecord> = {}): CustomerRecord => ({
  ...open().data,
  version: 1,
  ...changes,
});
const invalid = (message: string) => expect.objectContaining({ statusCode: 400, message });

describe('a new customer', () => {
  it('keeps what the merchant tells, its document without punctuation', () => {
    expect(open()).toMatchObject({
      type: 'customer.created',
      data: {
        ...FIELDS,
        id: 'cus_1',
        ...OWNER,
        document: { type: 'cpf', id: '52998224725' },
        metadata: '{"loyalty":"gold"}',
        deletedAt: null,
      },
    });
  });

  it('keeps documents of other countries as they come', () => {
    const document = { type: 'passport', id: 'AB 12-34' };
    expect(open({ document }).data.document).toEqual(document);
  });

  it.each([
    ['529.982.247-26', 'document.id has wrong check digits'],
    ['529', 'document.id must be a CPF (11 digits)'],
  ])('is refused with a CPF of %s', (id, message) => {
    expect(() => open({ document: { type: 'cpf', id } })).toThrow(invalid(message));
  });

  it('is refused with more than 16 KiB of metadata, counted in bytes', () => {
    const metadata = { note: 'é'.repeat(8_192) };
    expect(() => open({ metadata })).toThrow(invalid('metadata must be at most 16 KiB'));
    expect(open({ metadata: { note: 'é'.repeat(8_000) } }).data.metadata).toHaveLength(8_011);
  });
});

describe('a change of a customer', () => {
  it('leaves what is absent, and takes out what is null', () => {
    const { type, data } = changeCustomer(aCustomer(), { name: 'Ana Lima', phone: null }, later(60));
    expect(type).toBe('customer.updated');
    expect(data).toEqual({
      ...aCustomer(),
      name: 'Ana Lima',
      phone: null,
      updatedAt: later(60).toISOString(),
    });
  });

  it('is refused with wrong check digits', () => {
    const change = () =>
      changeCustomer(aCustomer(), { document: { type: 'cnpj', id: '11222333000180' } }, NOW);
    expect(change).toThrow(invalid('document.id has wrong check digits'));
  });

  it('is refused after the thousandth, because a deletion has to take all of them back', () => {
    expect(changeCustomer(aCustomer({ version: 999 }), { phone: null }, NOW).data.phone).toBeNull();
    expect(() => changeCustomer(aCustomer({ version: 1_000 }), { phone: null }, NOW)).toThrow(
      expect.objectContaining({ statusCode: 422, code: 'CUSTOMER_CHANGES_EXHAUSTED' }),
    );
  });
});

describe('a deletion', () => {
  it('leaves the id, the owner and dates, also after a thousand changes', () => {
    const { createdAt } = open().data;
    expect(deleteCustomer(aCustomer({ version: 1_000 }), later(60)).data).toEqual({
      id: 'cus_1',
      version: 1_000,
      ...OWNER,
      name: null,
      email: null,
      document: null,
      phone: null,
      address: null,
      reference: null,
      metadata: null,
      createdAt,
      updatedAt: later(60).toISOString(),
      deletedAt: later(60).toISOString(),
    });
  });
});
