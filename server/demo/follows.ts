import { follow } from '../notices/follows/service.ts'
import { invite } from '../people/organizations/invitation-service.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { findPrincipal, toAddress, type Principals } from './people.ts'
import { newOwnerCaller } from './register.ts'

/** The subjects that people of the demo follow, or have muted. */
export const FOLLOWS = [
  { person: 'henrike.vossberg', kind: 'data-product', id: 'arrival-forecast', isMuted: false },
  { person: 'henrike.vossberg', kind: 'team', id: 'data-platform', isMuted: false },
  { person: 'noemi.castellani', kind: 'data-product', id: 'wagon-journeys', isMuted: false },
  { person: 'noemi.castellani', kind: 'data-product', id: 'shipment-revenue', isMuted: false },
  { person: 'noemi.castellani', kind: 'data-product', id: 'gate-slots', isMuted: true },
  { person: 'pavel.hruska', kind: 'data-product', id: 'wagon-journeys', isMuted: false },
] as const

const INVITED = toAddress('lars.oberg')

/** Lets the people of the demo follow what they read, and invites one more person. */
export async function addFollows(
  services: Services,
  organizationId: string,
  principals: Principals,
): Promise<void> {
  for (const { person, kind, id, isMuted } of FOLLOWS) {
    const caller = newOwnerCaller(organizationId, findPrincipal(principals, person))
    await follow(services, caller, { kind, id }, isMuted)
  }
  const invitedBy = findPrincipal(principals, 'henrike.vossberg').replace(/^user:/, '')
  const invitation = { email: INVITED, role: 'Member' as const, invitedBy, requestId: 'demo' }
  await invite(services, organizationId, invitation)
}
