import type { Permission } from '../requests/access/permission.ts'
import { getResourcePermissions, type DocumentKind } from '../platform/kinds.ts'

/**
 * The members of stored documents that are read to decide something in place of a person: they grant, approve or name
 * those who may act. A write of the document asks for the permission of the decision if the meaning of the member changes,
 * so that a person who may edit a document gains nothing by it. `test/deciding-members.test.ts` has a test for each.
 */
interface DecidingMember {
  /** The kind of document, as it is stored. */
  kind: string
  member: string
  /** The decision, as the end of a sentence. */
  decides: string
  /** The permissions of those who may make the decision themselves. */
  needs: readonly Permission[] | 'an owner of the organization'
  /** The team on which they count, and when. */
  on: string
}

/** Every deciding member. */
export const DECIDING_MEMBERS = {
  autoApprove: {
    kind: 'data-product',
    member: 'outputPorts[].autoApprove',
    decides: 'approves requests of access to the port at once',
    needs: ['ACCESS_APPROVE'],
    on: 'the owning team, if the port is new, has a new id or another owner, or did not approve before',
  },
  owner: {
    kind: 'data-product',
    member: 'owner',
    decides: 'names the team that decides on access to the output ports',
    needs: ['ACCESS_APPROVE'],
    on: 'the former owner, if the product has output ports',
  },
  terms: {
    kind: 'access',
    member: 'info.startDate, info.endDate, roles',
    decides: 'extends an access that is approved',
    needs: ['ACCESS_APPROVE'],
    on: 'the team that owns the data product',
  },
  members: {
    kind: 'team',
    member: 'members',
    decides: 'names the people who may act for the team',
    needs: ['TEAM_MEMBER_ADD', 'TEAM_MEMBER_EDIT', 'TEAM_MEMBER_DELETE'],
    on: 'the team, and every permission that a person gains or that a role allows',
  },
  parent: {
    kind: 'team',
    member: 'parent',
    decides: 'names the team whose members may act for the team',
    needs: ['TEAM_ADD'],
    on: 'the new parent, and every permission that a person gains on the team',
  },
  assetOwner: {
    kind: 'asset',
    member: 'info.owner',
    decides: 'names the team that may change the asset and its tags',
    needs: ['ASSET_EDIT'],
    on: 'the owning team, old and new',
  },
  product: {
    kind: 'cost',
    member: 'dataProductId',
    decides: 'names the data product whose team may change the record',
    needs: ['DATAPRODUCT_EDIT'],
    on: 'the team that owns the data product, old and new',
  },
  tag: {
    kind: 'tag',
    member: 'id',
    decides: 'allows documents to name the tag if only managed tags are allowed',
    needs: ['MANAGED_TAG_ADD', 'MANAGED_TAG_EDIT'],
    on: 'the owning team: the first for a new tag, the second to rename one',
  },
  teamRoles: {
    kind: 'team-roles',
    member: 'team-roles[].permissions',
    decides: 'names what members of teams may do',
    needs: 'an owner of the organization',
    on: 'the organization',
  },
  managedTags: {
    kind: 'features',
    member: 'managedTagsPolicy',
    decides: 'exempts documents from the rule for tags',
    needs: 'an owner of the organization',
    on: 'the organization',
  },
  scimMapping: {
    kind: 'scim-mapping',
    member: 'scimGroupMappings[]',
    decides: 'names the roles of groups of people',
    needs: 'an owner of the organization',
    on: 'the organization',
  },
} as const satisfies Readonly<Record<string, DecidingMember>>

/** Describes the members of a kind of document that need other permissions than its own, a sentence for each. */
export function describeDecisions(kind: DocumentKind): string[] {
  const members: readonly DecidingMember[] = Object.values(DECIDING_MEMBERS)
  const own = `${getResourcePermissions(kind)}_`
  return members.flatMap(({ kind: of, member, decides, needs, on }) =>
    of !== kind || typeof needs === 'string' || needs.every((one) => one.startsWith(own))
      ? []
      : [`\`${member}\` ${decides}, and needs ${needs.join(', ')} on ${on}.`],
  )
}
