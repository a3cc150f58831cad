import {
  date,
  emailAddress,
  from,
  hidden,
  json,
  keyword,
  line,
  name,
  object,
  ofMerchant,
  stored,
  timestamps,
  words,
} from '../../../platform/read-store/fields.ts';
import { defineView } from '../../../platform/read-store/view.ts';
import { CUSTOMERS, type CustomerRecord } from '../write/customer.ts';

const searchedWords = ({ name, email, reference }: CustomerRecord): string =>
  [name, email, reference].filter((word) => word !== null).join(' ');

export const CUSTOMERS_VIEW = defineView({
  name: 'customers',
  version: 1,
  source: CUSTOMERS,
  tenants: 'routed',
  fields: {
    id: keyword(),
    ...ofMerchant,
    name: name(),
    email: emailAddress(),
    document: object({ id: line() }),
    phone: stored(),
    address: stored(),
    reference: line(),
    metadata: json(),
    deletedAt: date(),
    ...timestamps,
    /** Words of name, e-mail address and reference. */
    words: hidden(from(words(), searchedWords)),
  },
});

/** A customer from the write store as the API answers it. */
export const presentCustomer = (customer: CustomerRecord) =>
  CUSTOMERS_VIEW.present(CUSTOMERS_VIEW.toDocument(customer));
