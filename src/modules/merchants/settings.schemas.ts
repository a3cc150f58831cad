import Joi from 'joi';
import { resourceId, timestamps } from '../../platform/http/schemas.ts';

export const SETTINGS_TAG = 'Settings (administration)';

export const settingAnswer = Joi.object({
  id: resourceId('set').required(),
  merchantId: resourceId('mer').allow(null).required().description('Null for a gateway-wide default.'),
  name: Joi.string().required().description('One setting of a name for each merchant, and one gateway-wide.'),
  content: Joi.any().required().description('Latest content, as it was sent.'),
  ...timestamps,
}).label('Setting');
