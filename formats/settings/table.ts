import type { Setting, SettingDocument, SettingEffect } from './setting.ts'

const ONE_TEXT = 'Portbook uses the texts in English (`en`), otherwise those of the first language.'

const TABLE = [
  {
    document: 'features',
    member: 'changeProcessMode',
    title: 'Change process',
    effect: 'refused',
    values: ['approval-required'],
    description: 'Changes take effect without the approval of a second person.',
  },
  {
    document: 'features',
    member: 'managedTagsPolicy',
    title: 'Tags',
    effect: 'enforced',
    values: ['only-managed-tags-allowed'],
    description:
      'With `only-managed-tags-allowed`, documents with other tags than those of `/api/tags` are rejected.',
  },
  {
    document: 'features',
    member: 'autoApprovePolicy',
    title: 'Automatic approval',
    effect: 'refused',
    values: ['always'],
    description:
      'Only the property `autoApprove` of an output port approves requests of access automatically.',
  },
  {
    document: 'features',
    member: 'accessProvisioningPolicy',
    title: 'Provisioning of access',
    effect: 'refused',
    values: ['required'],
    description: 'Access is active when it is approved, before its provisioning is reported.',
  },
  {
    document: 'features',
    member: 'customTeamRolesEnabled',
    type: 'flag',
    title: 'Team roles',
    effect: 'computed',
    description: 'True while the team roles are custom ones (`/api/settings/team-roles`).',
  },
  {
    document: 'features',
    member: 'dataContractTestsEnabled',
    type: 'flag',
    title: 'Contract tests',
    effect: 'stored',
    description: 'Portbook runs no tests; it accepts the results of pipelines with any value.',
  },
  {
    document: 'features',
    member: 'dataContractTestsTags',
    type: 'texts',
    title: 'Tags of contract tests',
    effect: 'stored',
    description: 'Portbook runs no tests.',
  },
  {
    document: 'features',
    member: 'openInOptions',
    type: 'list',
    title: '"Open in" options',
    effect: 'stored',
    description: 'The pages have no such links.',
  },
  {
    document: 'features',
    member: 'customScript',
    type: 'text',
    title: 'Custom script',
    effect: 'stored',
    description: 'The pages never run it.',
  },
  {
    document: 'features',
    member: 'intelligenceEnabled',
    type: 'flag',
    title: 'Intelligence',
    effect: 'stored',
    description: 'Portbook uses no language models.',
  },
  {
    document: 'features',
    member: 'intelligenceQueryExecutionEnabled',
    type: 'flag',
    title: 'Queries by intelligence',
    effect: 'stored',
    description: 'Portbook uses no language models.',
  },
  {
    document: 'team-roles',
    member: 'mode',
    title: 'Team roles',
    effect: 'enforced',
    values: ['default', 'custom-team-roles'],
    description: 'Whether the default roles or those of `team-roles` apply.',
  },
  {
    document: 'team-roles',
    member: 'team-roles',
    title: 'Custom roles',
    effect: 'enforced',
    description: 'The permissions of each role.',
  },
  {
    document: 'customization',
    member: 'dataProduct.customFilters[]',
    title: 'Filters of data products',
    effect: 'enforced',
    description: 'The search page shows a filter for each `customField`, with its `displayName`.',
  },
  {
    document: 'customization',
    member: 'dataContract',
    title: 'Editor of data contracts',
    effect: 'stored',
    description: 'The editor of Portbook cannot be customized. Any members.',
  },
  {
    document: 'scim-mapping',
    member: 'scimGroupMappings[]',
    title: 'Groups and their roles',
    effect: 'enforced',
    description:
      'Members of the group get the role at once, also in teams that are created later. A group is named by its name, in any letter case, by its external id in the directory, or by the value of a claim. Roles add up. `type` is one of the values.',
    values: ['organizationOwner', 'teamMemberRole', 'teamMember'],
  },
  {
    document: 'scim-mapping',
    member: 'scimGroupDefaults',
    title: 'Defaults of groups',
    effect: 'enforced',
    description:
      '`defaultTeamMemberRole` is the role that mappings of type `teamMember` give. Without it they give Member.',
  },
  {
    document: 'email-templates',
    member: 'templates{}.enabled',
    title: 'Sent e-mails',
    effect: 'enforced',
    description:
      'With false, Portbook sends no e-mail of this type. Types that Portbook does not have are never sent.',
  },
  {
    document: 'email-templates',
    member: 'templates{}.languages{}.subject',
    title: 'Subjects',
    effect: 'enforced',
    description: ONE_TEXT,
  },
  {
    document: 'email-templates',
    member: 'templates{}.languages{}.body',
    title: 'Texts',
    effect: 'enforced',
    description: ONE_TEXT,
  },
  {
    document: 'email-templates',
    member: 'templates{}.languages{}.customized',
    title: 'Own texts',
    effect: 'stored',
    description: 'Portbook uses each text that is there.',
  },
  {
    document: 'email-templates',
    member: 'templates{}.canBeDisabled',
    title: 'Fixed types',
    effect: 'stored',
    description: 'Every type can be disabled.',
  },
  {
    document: 'email-templates',
    member: 'templates{}.variables',
    title: 'Placeholders',
    effect: 'stored',
    description: 'The guide lists the placeholders of each type.',
  },
  {
    document: 'access',
    member: 'info.startDate',
    title: 'Start',
    effect: 'enforced',
    description: 'The agreement is active from this day on.',
  },
  {
    document: 'access',
    member: 'info.endDate',
    title: 'End',
    effect: 'enforced',
    description: 'The agreement is not active on this day and later.',
  },
  {
    document: 'access',
    member: 'info.nextReassessmentDate',
    title: 'Reassessment',
    effect: 'enforced',
    description: 'On this day an event and notifications are sent. The agreement stays active.',
  },
  {
    document: 'access',
    member: 'info.individualAgreements',
    title: 'Individual agreements',
    effect: 'stored',
    description: 'A text for people; nothing in it is enforced.',
  },
  {
    document: 'access',
    member: 'roles[]',
    title: 'Roles',
    effect: 'stored',
    description: 'Connectors grant them on the platform; Portbook itself grants no access to data.',
  },
  {
    document: 'access',
    member: 'info.status',
    title: 'Status',
    effect: 'computed',
    description: 'Approving, rejecting and ending access decide it.',
  },
  {
    document: 'access',
    member: 'info.active',
    title: 'Active',
    effect: 'computed',
    description: 'Approval and dates decide it.',
  },
  {
    document: 'access',
    member: 'provisioning',
    title: 'Provisioning',
    effect: 'computed',
    description: 'Connectors report it below `/api/access/{id}/provisioning`.',
  },
  {
    document: 'data-contract',
    member: 'roles[].firstLevelApprovers',
    title: 'First level approvers',
    effect: 'stored',
    description:
      'People with ACCESS_APPROVE on the team that owns the data product decide on access.',
  },
  {
    document: 'data-contract',
    member: 'roles[].secondLevelApprovers',
    title: 'Second level approvers',
    effect: 'stored',
    description: 'One person approves access.',
  },
  {
    document: 'data-contract',
    member: 'slaProperties[]',
    title: 'Service levels',
    effect: 'stored',
    description:
      'Portbook shows them, and neither measures nor enforces them: it deletes no data after a retention.',
  },
  {
    document: 'data-contract',
    member: 'schema[].quality[]',
    title: 'Quality rules',
    effect: 'stored',
    description: 'Pipelines test them and report the results.',
  },
  {
    document: 'data-contract',
    member: 'terms',
    title: 'Terms of use (DCS)',
    effect: 'stored',
    description:
      'Portbook shows usage, limitations and notice period to consumers, and enforces none of them.',
  },
  {
    document: 'data-product',
    member: 'outputPorts[].autoApprove',
    title: 'Automatic approval',
    effect: 'enforced',
    description:
      'Requests of access from pages and agents are approved at once. In ODPS a custom property of the port.',
  },
  {
    document: 'data-product',
    member: 'status',
    title: 'Status',
    effect: 'stored',
    description:
      'Consumers are notified that a data product is deprecated or retired. Access stays possible.',
  },
] as const satisfies readonly Setting[]

/**
 * Every member of the settings documents, and every member of access agreements, data contracts and data products that
 * may be understood as a rule. Schemas, the API's documentation, the guide and the pages are made from it.
 */
export const SETTINGS: readonly Setting[] = TABLE

/** The names of the settings of a document that have an effect. */
export type SettingMember<
  Document extends SettingDocument,
  Effect extends SettingEffect = SettingEffect,
> = Extract<(typeof TABLE)[number], { document: Document; effect: Effect }>['member']
