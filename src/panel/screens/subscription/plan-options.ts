import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import type { Option } from '../../components/field.tsx';
import { formatMoney } from '../../format.ts';

/** The plans that take new subscriptions. */
export const activePlans = () => call('listPlans', { query: { active: 'true', size: 100, orderBy: 'name' } });

export const planOptions = (plans: readonly Schemas['Plan'][]): readonly Option[] =>
  plans.map(({ id, name, amount, currency }) => ({
    value: id,
    label: `${name}, ${formatMoney(amount, currency)}`,
  }));
