import Joi from 'joi';

/**
 * Replaces those messages of Joi that repeat the value, which may be a card number or a secret. They are compiled here,
 * because Joi would compile them again for each value that it validates.
 */
export const MESSAGES_WITHOUT_VALUES = {
  'string.pattern.base': Joi.expression('{{#label}} has the wrong format'),
  'string.pattern.name': Joi.expression('{{#label}} must be: {{#name}}'),
  'string.pattern.invert.base': Joi.expression('{{#label}} has the wrong format'),
  'string.pattern.invert.name': Joi.expression('{{#label}} must not be: {{#name}}'),
};
