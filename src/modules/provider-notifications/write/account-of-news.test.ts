import { aCharge, aMandate, aRefund, aSuspenseItem } from '../../../../test/builders.ts';
import type { ProviderNotification } from '../../providers/provider.ts';
import { createAccountOfNews } from './account-of-news.ts';

const charge = aCharge({ provider: 'pix-api', livemode: true });
const refund = aRefund({ chargeId: charge.id });
const mandate = aMandate({ provider: 'pix-api.two' });
const returned = aSuspenseItem({ provider: 'pix-api.three', livemode: true });

const accountOfNews = createAccountOfNews({
  findCharge: async (id) => (id === charge.id ? charge : null),
  findRefund: async (id) => (id === refund.id ? refund : null),
  findReturn: async (reference) => (reference === returned.id ? returned : null),
  findMethod: async (id) => (id === mandate.id ? mandate : null),
});

const money = { id: '1', livemode: true, amount: 1, currency: 'BRL' } as const;
const chargeback = (reference: string): ProviderNotification => ({
  ...{ ...money, kind: 'chargeback', reference, pspRefId: 'rtr_1' },
});
const refunded = (reference: string, paymentReference?: string): ProviderNotification => ({
  ...{ ...money, kind: 'refund', reference },
  state: { status: 'refunded', reason: null, pspRefundRefId: null },
  ...(paymentReference !== undefined && { paymentReference }),
});

describe('the account that news is about', () => {
  it('is that of the charge whose money has moved, of a refund as well', async () => {
    expect(await accountOfNews(chargeback(charge.id))).toBe('pix-api');
    expect(await accountOfNews(refunded(refund.id))).toBe('pix-api');
  });

  it('is that of the payment where the refund was made at the provider itself', async () => {
    expect(await accountOfNews(refunded('by_hand', charge.id))).toBe('pix-api');
    expect(await accountOfNews(refunded('by_hand'))).toBeNull();
  });

  it('is that which has the stray money that goes back', async () => {
    expect(await accountOfNews(refunded(returned.id, charge.id))).toBe('pix-api.three');
  });

  it('is that of the mandate', async () => {
    const state = { status: 'active', failureReason: null, providerMethod: null, copyPaste: null } as const;
    const told = { id: '1', kind: 'mandate', livemode: true, reference: mandate.id, state } as const;
    expect(await accountOfNews(told)).toBe('pix-api.two');
  });

  it('is none of this gateway where nothing here has the name, or only in the other environment', async () => {
    expect(await accountOfNews(chargeback('chg_elsewhere'))).toBeNull();
    expect(await accountOfNews({ ...chargeback(charge.id), livemode: false })).toBeNull();
    expect(await accountOfNews({ ...money, kind: 'other', type: 'newsletter' })).toBeNull();
  });
});
