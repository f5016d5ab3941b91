import { jsonAnswer, type Endpoint } from '../requests/http/endpoint.ts'
import { describeError } from '../requests/http/openapi.ts'
import { requireOwner } from '../requests/http/missing-permission.ts'
import { about, testMailResult } from './about.ts'
import { health } from './health.ts'
import { describeHealth } from './health-service.ts'
import { describeInstallation } from './service.ts'
import { mailTest } from './test-mail-service.ts'

/** `GET /ui/about`: returns the information about this installation. */
export const getAbout: Endpoint = {
  operation: 'getAbout',
  summary: 'Get the version and the state of this installation',
  lane: 'scan',
  permission: 'a session',
  answers: { 200: { description: 'The installation, as this process sees it', schema: about } },
  async handle({ services, caller }) {
    return jsonAnswer(200, about, await describeInstallation(services, caller))
  },
}

/** `GET /ui/health`: returns the health of the installation, with the limits that decide. */
export const getHealth: Endpoint = {
  operation: 'getHealth',
  summary: 'Get the health of this installation',
  description:
    'Numbers over all organizations, without names. Programs use `/metrics` and `/readyz`, which need no person.',
  lane: 'scan',
  permission: 'an owner of the organization',
  answers: { 200: { description: 'The health of the installation', schema: health } },
  async handle({ services, caller }) {
    requireOwner(caller)
    return jsonAnswer(200, health, await describeHealth(services))
  },
}

/** `POST /ui/test-mail`: sends a test message to the address of the caller. */
export const sendTestMail: Endpoint = {
  operation: 'sendTestMail',
  summary: 'Send a test message to your own address',
  description: 'Waits at most 20 seconds for the mail server.',
  permission: 'an owner of the organization',
  answers: {
    200: { description: 'Whether the mail server accepted it', schema: testMailResult },
    422: describeError('No mail server is configured'),
  },
  async handle({ services, caller }) {
    requireOwner(caller)
    return jsonAnswer(200, testMailResult, await mailTest(services, caller))
  },
}
