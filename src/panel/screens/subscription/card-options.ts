import type { Schemas } from '../../../client/client.ts';
import type { Option } from '../../components/field.tsx';
import { tStatus } from '../../words.ts';

type StoredMethod = Schemas['StoredPaymentMethod'];

/** Names a card by its brand, its last digits and its end. */
export const cardName = ({ brand, lastFour, expirationMonth, expirationYear }: StoredMethod): string =>
  `${brand ? tStatus(brand) : ''} ···· ${lastFour} ${expirationMonth}/${expirationYear}`.trim();

/** The cards that can be charged. */
export const cardOptions = (methods: readonly StoredMethod[]): readonly Option[] =>
  methods
    .filter(({ status }) => status === 'active')
    .map((method) => ({ value: method.id, label: cardName(method) }));
