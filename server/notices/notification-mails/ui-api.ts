import { jsonAnswer, type Endpoint, type OpenEndpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { getDigestHour, setDigestHour } from './digest-service.ts'
import { describeUnsubscribe, unsubscribe } from './unsubscribe-service.ts'
import { digestForm, digestSetting, unsubscribeForm, unsubscribeLink } from './unsubscribe.ts'

const UNKNOWN = describeError('The link is unknown or no longer works')

/** `POST /ui/unsubscribe/preview`: returns the e-mails that a link switches off. */
export const previewUnsubscribe: OpenEndpoint = {
  operation: 'previewUnsubscribe',
  summary: 'Show the e-mails that a link switches off',
  permission: 'public',
  body: formBody(unsubscribeForm, "The link's token"),
  answers: { 200: { description: 'The e-mails', schema: unsubscribeLink }, 404: UNKNOWN },
  async handle({ services, body }) {
    const { token } = readForm(body, unsubscribeForm)
    return jsonAnswer(200, unsubscribeLink, await describeUnsubscribe(services, token))
  },
}

/** `POST /ui/unsubscribe`: switches e-mails off with a link, without signing in. */
export const postUnsubscribe: OpenEndpoint = {
  operation: 'unsubscribe',
  summary: 'Switch e-mails off with a link',
  permission: 'public',
  body: formBody(unsubscribeForm, "The link's token"),
  answers: { 204: { description: 'The e-mails are off' }, 404: UNKNOWN },
  async handle({ services, body }) {
    await unsubscribe(services, readForm(body, unsubscribeForm).token)
    return { status: 204 }
  },
}

/** `GET /ui/notification-digest`: returns the hour of the caller's daily e-mail. */
export const getDigestSetting: Endpoint = {
  operation: 'getDigestSetting',
  summary: 'Get the hour of your daily e-mail',
  lane: 'point',
  permission: 'a session',
  answers: { 200: { description: 'The hour', schema: digestSetting } },
  async handle({ services, caller }) {
    const hour = await getDigestHour(services.db, caller.organizationId, caller.userId ?? '')
    return jsonAnswer(200, digestSetting, { hour })
  },
}

/** `PUT /ui/notification-digest`: changes the hour of the caller's daily e-mail. */
export const putDigestSetting: Endpoint = {
  operation: 'putDigestSetting',
  summary: 'Change the hour of your daily e-mail',
  permission: 'a session',
  body: formBody(digestForm, 'The hour in UTC'),
  answers: { 200: { description: 'The hour', schema: digestSetting } },
  async handle({ services, caller, body }) {
    const { hour } = readForm(body, digestForm)
    await setDigestHour(services.db, caller.organizationId, caller.userId ?? '', hour)
    return jsonAnswer(200, digestSetting, { hour })
  },
}
