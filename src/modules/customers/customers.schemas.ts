import Joi from 'joi';
import {
  dateTime,
  email,
  livemode,
  metadata,
  postalAddress,
  resourceId,
  text,
  timestamps,
} from '../../platform/http/schemas.ts';

export const TAG = 'Customers';

/** The parameter of a path below a customer. */
export const customerParams = { id: 'Id of the customer, `cus_…`.' };

/** A payer's national identifier, null without one. */
export const customerDocument = (): Joi.ObjectSchema =>
  Joi.object({
    type: text(16).required().description('Kind of document, such as `cpf` or `cnpj`.'),
    id: text(32)
      .required()
      .description(
        'Its number; of a `cpf` or `cnpj` its shape and check digits count, punctuation is removed and letters become upper case.',
      ),
  })
    .label('CustomerDocument')
    .allow(null);

const fields = {
  name: text(255).description('Full name.'),
  email: email(),
  document: customerDocument().description('National identifier.'),
  phone: text(32).allow(null).description('In any notation.'),
  address: postalAddress(),
  reference: text(64)
    .allow(null)
    .description("The merchant's own name for the customer; need not be unique."),
  metadata: metadata().allow(null).description('Free-form, at most 16 KiB as JSON.'),
};

export const newCustomer = Joi.object({
  name: fields.name.required(),
  email: fields.email.required(),
  document: fields.document.default(null),
  phone: fields.phone.default(null),
  address: fields.address.default(null),
  reference: fields.reference.default(null),
  metadata: fields.metadata.default(null),
})
  .example({
    name: 'Ana Souza',
    email: 'ana@example.com',
    document: { type: 'cpf', id: '529.982.247-25' },
    reference: 'customer-1001',
  })
  .label('NewCustomer');

export const customerChanges = Joi.object(fields)
  .min(1)
  .example({ phone: '+55 11 98765-4321' })
  .label('CustomerChanges');

const nullable = <T extends Joi.Schema>(schema: T): T => schema.allow(null).required() as T;
const ofDeleted = 'Null once the customer is deleted.';

export const customerAnswer = Joi.object({
  id: resourceId('cus').required(),
  merchantId: resourceId('mer').required(),
  livemode: livemode().required(),
  name: nullable(Joi.string()).description(ofDeleted),
  email: nullable(Joi.string()).description(ofDeleted),
  document: customerDocument().required().description('Null without one.'),
  phone: nullable(Joi.string()).description('Null without one.'),
  address: postalAddress().required(),
  reference: nullable(Joi.string()).description(
    "The merchant's own name for the customer; null without one.",
  ),
  metadata: metadata().allow(null).required().description('As given; null without any.'),
  deletedAt: nullable(dateTime()).description('When the personal data was taken out; null before.'),
  ...timestamps,
}).label('Customer');
