/** Messages of Joi in place of its own, which repeat the value. A value may be a card number or a secret. */
export const MESSAGES_WITHOUT_VALUES = {
  'string.pattern.base': '{{#label}} has the wrong format',
  'string.pattern.name': '{{#label}} must be: {{#name}}',
  'string.pattern.invert.base': '{{#label}} has the wrong format',
  'string.pattern.invert.name': '{{#label}} must not be: {{#name}}',
} as const;
