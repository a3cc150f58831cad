import { aMerchantPrincipal, anOperatorPrincipal } from '../../../../test/builders.ts';
import {
  MERCHANT_PERMISSIONS,
  type MerchantPermission,
  OPERATOR_PERMISSIONS,
  type OperatorPermission,
  type Principal,
} from '../../../kernel/principal.ts';
import { SENT_NAMES } from './event-kinds.ts';
import { assertMayReadEvent, readableEvents } from './event-readers.ts';

const merchant = (...permissions: readonly MerchantPermission[]): Principal =>
  aMerchantPrincipal({ permissions });
const operator = (...permissions: readonly OperatorPermission[]): Principal =>
  anOperatorPrincipal({ permissions });
const familiesOf = (principal: Principal): readonly string[] => [
  ...new Set(readableEvents(principal).map((name) => name.slice(0, name.indexOf('.')))),
];

describe('the events that a caller may see', () => {
  it('are all for who has every permission', () => {
    expect(readableEvents(merchant(...MERCHANT_PERMISSIONS))).toEqual(SENT_NAMES);
    expect(readableEvents(operator(...OPERATOR_PERMISSIONS))).toEqual(SENT_NAMES);
  });

  it('are those of the resources that it may read', () => {
    expect(familiesOf(merchant('webhooks.manage'))).toEqual([]);
    const ofCharges = familiesOf(merchant('webhooks.manage', 'charges.read'));
    expect([...ofCharges].sort()).toEqual(['charge', 'refund']);
    expect(familiesOf(merchant('webhooks.manage', 'customers.manage'))).toEqual([]);
    const ofMethods = familiesOf(merchant('webhooks.manage', 'payment_methods.manage'));
    expect(ofMethods).toEqual(['payment_method']);
    expect(familiesOf(merchant('webhooks.manage', 'subscriptions.manage'))).toEqual(['subscription']);
    expect(familiesOf(merchant('webhooks.manage', 'checkout.manage'))).toEqual(['checkout']);
    expect(familiesOf(merchant('webhooks.manage', 'payouts.read'))).toEqual(['payout']);
    const ofStatement = familiesOf(merchant('webhooks.manage', 'statement.read'));
    expect(ofStatement).toEqual(['anticipation', 'adjustment']);
    expect(familiesOf(merchant('webhooks.manage', 'submerchants.manage'))).toEqual(['account']);
    expect(familiesOf(operator('admin.webhooks.read'))).toEqual([]);
    expect(familiesOf(operator('admin.webhooks.read', 'admin.payout_requests.read'))).toEqual(['payout']);
    expect(familiesOf(operator('admin.webhooks.read', 'admin.merchants.read'))).toEqual(['account']);
  });

  it('are the only ones that can be asked for by id', () => {
    const missing = expect.objectContaining({ statusCode: 403, code: 'PERMISSION_MISSING' });
    expect(() => assertMayReadEvent(merchant('webhooks.manage'), 'charge.paid')).toThrow(missing);
    expect(() => assertMayReadEvent(merchant('charges.read'), 'charge.paid')).not.toThrow();
  });
});
