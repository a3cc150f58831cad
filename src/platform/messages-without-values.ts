import Joi from 'joi';

/**
 * Messages of Joi in place of its own, which repeat the value. A value may be a card number or a secret. They are
 * compiled here, because Joi would compile them for each value that it validates.
 */
export const MESSAGES_WITHOUT_VALUES = {
  'string.pattern.base': Joi.expression('{{#label}} has the wrong format'),
  'string.pattern.name': Joi.expression('{{#label}} must be: {{#name}}'),
  'string.pattern.invert.base': Joi.expression('{{#label}} has the wrong format'),
  'string.pattern.invert.name': Joi.expression('{{#label}} must not be: {{#name}}'),
};
