import Joi from 'joi';
import { dateTime, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { CONNECTORS } from '../providers/connectors.ts';

export const TAG = 'Provider accounts (administration)';

const OFFERED = CONNECTORS.filter(({ ofMerchants }) => ofMerchants.length > 0);
const NAMES = OFFERED.map(
  ({ name, ofMerchants }) => `\`${name}\`: ${ofMerchants.map((one) => `\`${one}\``).join(', ')}`,
);

const settings = Joi.object()
  .pattern(/^[A-Z][A-Z0-9_]{0,60}$/, Joi.string().max(65_536))
  .required()
  .description(
    'Values by the names that the environment of the installation has. Files are given by their content, PKCS#12 in ' +
      `Base64. No answer has the values. Names of ${NAMES.join('; ')}.`,
  );

export const newAccount = Joi.object({
  provider: oneOf(OFFERED.map(({ name }) => name)).description('The connector.'),
  settings,
})
  .example({
    provider: 'stripe',
    settings: {
      STRIPE_SECRET_KEY: 'rk_live_of_the_merchant_0001',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_its_endpoint_01',
    },
  })
  .label('ProviderAccountRequest');

export const newSettings = Joi.object({ settings })
  .example({
    settings: {
      STRIPE_SECRET_KEY: 'rk_live_of_the_merchant_0002',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_its_endpoint_02',
    },
  })
  .label('ProviderAccountSettings');

export const accountAnswer = Joi.object({
  id: resourceId('pac').required(),
  merchantId: resourceId('mer').required(),
  provider: Joi.string().required().description('The connector.'),
  name: Joi.string()
    .required()
    .description(
      'For the setting `live_providers`, and in the address `/v1/providers/{name}/notifications` that the provider notifies.',
    ),
  settings: Joi.array().items(Joi.string()).required().description('Names of the settings that it has.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('ProviderAccount');
