import { PORTUGUESE, PORTUGUESE_MEMBERS, PORTUGUESE_STATUSES } from './words.pt.ts';

/** The browser's language; one that is no language tag, such as `en-US@posix`, counts as English. */
const asked = (() => {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0] ?? 'en';
  } catch {
    return 'en';
  }
})();
export const isPortuguese = asked.startsWith('pt');
const spoken = asked.startsWith('en') ? asked : 'en';

/** Language of words, numbers and dates: the browser's, as far as the panel speaks it. */
export const locale = isPortuguese ? 'pt-BR' : spoken;

/** A text of the panel in the reader's language; `{name}` stands for a value. */
export const t = (text: string, values: Readonly<Record<string, string>> = {}): string => {
  const said = isPortuguese ? (PORTUGUESE[text] ?? text) : text;
  return said.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
};

const SPECIAL: Readonly<Record<string, string>> = {
  pix: 'Pix',
  tls: 'TLS',
  qrcode: 'QR code',
  checkout: 'payment page',
  banktransfer: 'bank transfer',
  payout_request: 'payout',
  key: 'API key',
  charge_spread: 'fee',
  tx_spread: 'charge fee',
  paymentMethod: 'method',
  merchantId: 'merchant',
  paidCount: 'paid',
  paidAmount: 'paid amount',
  spread: 'charge fees',
  chargebackAlertFees: 'alert fees',
  payoutFees: 'payout fees',
  anticipationFees: 'anticipation fees',
  feesReversed: 'fees reversed',
  submerchant: 'sub-merchant',
  circuit_closed: 'sent',
  circuit_half_open: 'tried again',
  circuit_open: 'held back',
  matched_id: 'id',
  matched_reference: 'reference',
  matched_email: 'e-mail',
  matched_document: 'document',
  matched_provider_reference: "the provider's reference",
  matched_digits: 'digits',
  matched_record: 'its record',
  matched_request: 'the request',
  matched_name: 'name',
  matched_words: 'words',
  provider_tokenize: 'make a token of the card',
  provider_store: 'store the card',
  provider_describeStored: 'ask about the stored card',
  provider_revoke: 'forget the stored card',
  provider_enroll: 'ask for a mandate',
  provider_describeMandate: 'ask about the mandate',
  provider_revokeMandate: 'end the mandate',
  provider_authorize: 'take the payment',
  provider_refund: 'refund',
  provider_describePayment: 'ask about the payment',
  provider_describeRefund: 'ask about the refund',
  provider_cancel: 'cancel',
  MerchantMaster: 'master',
  Merchant: 'merchant',
};

/** A value of the API, such as a status, in words. */
export const tStatus = (value: string): string =>
  (isPortuguese ? PORTUGUESE_STATUSES[value] : SPECIAL[value]) ?? value.replaceAll('_', ' ');

/** A member of a record in words: `companyTaxId` is the "company tax id". */
export const tMember = (name: string): string => {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (isPortuguese && PORTUGUESE_MEMBERS[name]) || tStatus(words);
};
