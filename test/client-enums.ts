/**
 * The values of enums in documents that clients own, as the newest public client of this API family types them:
 * the Python package entropy-data-sdk 0.1.1, `entropy_data_sdk/models.py`. Values of fields that are texts are the
 * examples of the same file.
 */

/** The values of an enum, and a class or a field of the client that has them. */
export interface ClientEnum {
  source: string
  values: readonly string[]
}

/** The enums by the document and its member. */
export const CLIENT_ENUMS = {
  'features changeProcessMode': {
    source: 'OrganizationFeatures.changeProcessMode',
    values: ['approval-required'],
  },
  'features managedTagsPolicy': {
    source: 'OrganizationFeatures.managedTagsPolicy',
    values: ['only-managed-tags-allowed'],
  },
  'features autoApprovePolicy': {
    source: 'OrganizationFeaturesAutoApprovePolicy',
    values: ['always'],
  },
  'features accessProvisioningPolicy': {
    source: 'OrganizationFeaturesAccessProvisioningPolicy',
    values: ['required'],
  },
  'scim-mapping scimGroupMappings[]': {
    source: 'ScimMappingConfigurationScimGroupMappingType',
    values: ['organizationOwner', 'teamMemberRole', 'teamMember'],
  },
  'team-roles mode': {
    source: 'TeamRolesSettingsMode',
    values: ['default', 'custom-team-roles'],
  },
  'team type': {
    source: 'TeamType',
    values: ['Domain', 'Team', 'Domain Team', 'Enabling Team', 'Platform Team', 'Governance Group'],
  },
  'notification-channel type': {
    source: 'NotificationChannelType',
    values: ['slack', 'teams', 'googlechat'],
  },
  'policy status': {
    source: 'PolicyStatus',
    values: ['Draft', 'Accepted', 'Rejected', 'Deprecated'],
  },
  'test-result result': {
    source: 'TestResultsResult',
    values: ['passed', 'failed', 'warning', 'error', 'unknown'],
  },
  'access provisioning status': {
    source: 'AccessProvisioningStatus',
    values: [
      'provisioning',
      'provisioned',
      'provisioning-failed',
      'deprovisioning',
      'deprovisioned',
      'deprovisioning-failed',
    ],
  },
  'generate type': {
    source: 'GenerateRequestType',
    values: [
      'sql-select',
      'sql-ddl',
      'dbt-models',
      'dbt-sources',
      'json-schema',
      'pydantic',
      'custom',
    ],
  },
} as const satisfies Readonly<Record<string, ClientEnum>>
