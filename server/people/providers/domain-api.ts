import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { describeError } from '../../requests/http/openapi.ts'
import * as domains from './domain-service.ts'
import { domainAnswer, domainForm, domainsAnswer, DOMAINS_MAX, toDomainAnswer } from './domain.ts'

const OWNER = 'an owner of the organization'
const DOMAIN = { description: 'The domain as it is now', schema: domainAnswer }

/** `GET /ui/mail-domains`: lists the mail domains of the organization. */
export const getDomains: Endpoint = {
  operation: 'listMailDomains',
  summary: 'List the mail domains of the organization',
  lane: 'point',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  answers: { 200: { description: 'The domains, sorted by name', schema: domainsAnswer } },
  async handle({ services, caller }) {
    const list = await domains.listDomains(services, caller)
    const value = { domains: list.map(toDomainAnswer), max: DOMAINS_MAX }
    return jsonAnswer(200, domainsAnswer, value)
  },
}

/** `POST /ui/mail-domains`: adds a mail domain. */
export const postDomain: Endpoint = {
  operation: 'addMailDomain',
  summary: 'Add a mail domain',
  description:
    'It is verified at once if the installation has one organization; otherwise by a TXT record or by the operator.',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  body: formBody(domainForm, 'The domain'),
  answers: { 201: DOMAIN, 409: describeError('The organization has 50 domains') },
  async handle({ services, caller, body, requestId }) {
    const { domain } = readForm(body, domainForm)
    const added = await domains.addDomain(services, caller, { domain, requestId })
    return jsonAnswer(201, domainAnswer, toDomainAnswer(added))
  },
}

/** `POST /ui/mail-domains/{domain}/check`: verifies a mail domain by its TXT record. */
export const checkDomain: Endpoint<'domain'> = {
  operation: 'checkMailDomain',
  summary: 'Verify a mail domain by its TXT record',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  answers: {
    200: DOMAIN,
    409: describeError('Another organization has proved that the domain is its own'),
    422: describeError('The TXT record is missing, or the name server does not answer'),
  },
  async handle({ services, caller, params: { domain }, requestId }) {
    const checked = await domains.checkDomain(services, caller, { domain, requestId })
    return jsonAnswer(200, domainAnswer, toDomainAnswer(checked))
  },
}

/** `DELETE /ui/mail-domains/{domain}`: removes a mail domain. */
export const deleteDomain: Endpoint<'domain'> = {
  operation: 'removeMailDomain',
  summary: 'Remove a mail domain that no identity provider names',
  permission: OWNER,
  requires: ({ caller }) => requireOwner(caller),
  answers: {
    204: { description: 'It is removed' },
    422: describeError('An identity provider names it'),
  },
  async handle({ services, caller, params: { domain }, requestId }) {
    await domains.removeDomain(services, caller, { domain, requestId })
    return { status: 204 }
  },
}
