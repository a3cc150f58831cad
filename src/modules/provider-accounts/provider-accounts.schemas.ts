import { dateTime, oneOf, resourceId } from '../../platform/http/schemas.ts';
import { anyObject, arrayOf, object, string } from '../../platform/http/typed.ts';
import { CONNECTORS } from '../providers/connectors.ts';

export const TAG = 'Provider accounts (administration)';

const OFFERED = CONNECTORS.filter(({ ofMerchants }) => ofMerchants.length > 0);
const NAMES = OFFERED.map(
  ({ name, ofMerchants }) => `\`${name}\`: ${ofMerchants.map((one) => `\`${one}\``).join(', ')}`,
);

const settings = anyObject()
  .pattern(/^[A-Z][A-Z0-9_]{0,60}$/, string().max(65_536))
  .required()
  .description(
    'Values by the names of the settings in the environment. Files are given by their content, PKCS#12 in ' +
      `Base64. No answer shows the values. Names for ${NAMES.join('; ')}.`,
  );

export const newAccount = object({
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

export const newSettings = object({ settings })
  .example({
    settings: {
      STRIPE_SECRET_KEY: 'rk_live_of_the_merchant_0002',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_its_endpoint_02',
    },
  })
  .label('ProviderAccountSettings');

export const accountAnswer = object({
  id: resourceId('pac').required(),
  merchantId: resourceId('mer').required(),
  provider: string().required().description('The connector.'),
  name: string()
    .required()
    .description(
      "Name for the setting `live_providers`, and in the address `/v1/providers/{name}/notifications` for the provider's notifications.",
    ),
  settings: arrayOf(string()).required().description('Names of the settings of the account.'),
  createdAt: dateTime().required(),
  updatedAt: dateTime().required(),
}).label('ProviderAccount');
