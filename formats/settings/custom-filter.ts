/**
 * The JSON Schema of a filter in the customization of an organization, from which the pages make the form. The schema of
 * the API has the same members and limits.
 */
export const CUSTOM_FILTER_SCHEMA = {
  type: 'object',
  required: ['displayName', 'customField'],
  properties: {
    displayName: {
      type: 'string',
      title: 'Name',
      description: 'The title of the filter on the search page.',
      examples: ['Maturity'],
      maxLength: 100,
    },
    customField: {
      type: 'string',
      title: 'Custom property',
      description: 'The property of data products whose values the filter offers.',
      examples: ['maturity'],
      maxLength: 256,
    },
  },
} as const

/** The maximum number of filters of an organization. */
export const CUSTOM_FILTERS_MAX = 20
