import { entityTag, readConditions } from '../../requests/http/conditional.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { describeError } from '../../requests/http/openapi.ts'
import {
  getSignInRule as loadSignInRule,
  putSignInRule as changeSignInRule,
} from './sign-in-rule-service.ts'
import { signInRule, signInRuleForm } from './sign-in-rule.ts'

const ETAG = { etag: 'The version, for If-Match' }

/** `GET /ui/sign-in-rule`: returns the sign-in rule of the organization. */
export const getSignInRule: Endpoint = {
  operation: 'getSignInRule',
  summary: 'Get the sign-in rule of the organization and its break-glass owners',
  lane: 'point',
  permission: 'an owner of the organization',
  answers: { 200: { description: 'The rule', schema: signInRule, headers: ETAG } },
  async handle({ services, caller }) {
    requireOwner(caller)
    const { version, ...rule } = await loadSignInRule(services.db, caller)
    return jsonAnswer(200, signInRule, rule, { etag: entityTag(String(version)) })
  },
}

/** `PUT /ui/sign-in-rule`: changes the sign-in rule of the organization. */
export const putSignInRule: Endpoint = {
  operation: 'putSignInRule',
  summary: 'Change how members may sign in, and the break-glass owners',
  description:
    'The rule "provider" can be switched on by an owner who signed in with a provider of the organization, if a break-glass owner is named. Other sessions then get 403 provider_required in this organization, in all processes at once; API keys go on.',
  permission: 'an owner of the organization',
  body: formBody(signInRuleForm, 'The rule and the break-glass owners'),
  answers: {
    200: { description: 'The rule', schema: signInRule, headers: ETAG },
    409: describeError('No break-glass owner would be left'),
  },
  async handle({ services, caller, headers, body, requestId }) {
    requireOwner(caller)
    const form = readForm(body, signInRuleForm)
    const change = { form, conditions: readConditions(headers), requestId }
    const { version, ...rule } = await changeSignInRule(services.db, caller, change)
    return jsonAnswer(200, signInRule, rule, { etag: entityTag(String(version)) })
  },
}
