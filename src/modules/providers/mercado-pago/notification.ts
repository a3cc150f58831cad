import Joi from 'joi';

/** A notification: only what it is about counts, which is signed and asked back. */
export type Notification = { readonly type: string; readonly dataId: string };

const identifier = Joi.alternatives(Joi.number().integer(), Joi.string().max(64)).required();

const notificationBody = Joi.object<{
  readonly type: string;
  readonly data: { readonly id: string | number };
}>({
  type: Joi.string().max(64).required(),
  data: Joi.object({ id: identifier }).unknown().required(),
})
  .unknown()
  .required();

/** Null for what is no notification. */
export const parseNotification = (body: Buffer): Notification | null => {
  try {
    const { error, value } = notificationBody.validate(JSON.parse(body.toString('utf8')), { convert: false });
    return error ? null : { type: value.type, dataId: String(value.data.id) };
  } catch {
    return null;
  }
};
