import type { ComponentProps } from 'react';
import { t } from '../words.ts';
import { Field } from './field.tsx';

/** The networks, in CIDR notation, that a key or a user is restricted to. */
export const NetworksField = (field: Pick<ComponentProps<typeof Field>, 'value' | 'onText'>) => (
  <Field
    {...field}
    label={t('Networks')}
    name="allowedNetworks"
    hint={t('Such as 192.0.2.0/24; empty means from everywhere.')}
  />
);
