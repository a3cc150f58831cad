import type { Schemas } from '../../../client/client.ts';
import type { Option } from '../../components/field.tsx';
import { tStatus } from '../../words.ts';

type StoredMethod = Schemas['StoredPaymentMethod'];

/** Names a card by its brand, its last digits and its end, and a mandate by its contract. */
export const methodName = ({
  mandate,
  brand,
  lastFour,
  expirationMonth,
  expirationYear,
}: StoredMethod): string =>
  mandate
    ? `Pix Automático ${mandate.contract}`
    : `${brand ? tStatus(brand) : ''} ···· ${lastFour} ${expirationMonth}/${expirationYear}`.trim();

/** The cards and mandates that can be charged. */
export const methodOptions = (methods: readonly StoredMethod[]): readonly Option[] =>
  methods
    .filter(({ status }) => status === 'active')
    .map((method) => ({ value: method.id, label: methodName(method) }));
