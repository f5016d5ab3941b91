/** The errors of provisioning by a directory (SCIM): a part of `error-codes.ts`. */
export const DIRECTORY_ERRORS = {
  directory_key_elsewhere: {
    status: 403,
    meaning: 'A key of a directory was used outside of `/api/scim/v2`.',
    fix: 'Use an API key.',
  },
  scim_syntax_invalid: {
    status: 400,
    meaning: 'The body of a SCIM request does not have the form of its message.',
    fix: 'Correct what `detail` names.',
  },
  scim_filter_invalid: {
    status: 400,
    meaning:
      'The filter of a SCIM request cannot be read, or compares an attribute that is not supported.',
    fix: 'Use `eq` and `and` on the attributes that `detail` lists.',
  },
  scim_path_invalid: {
    status: 400,
    meaning: 'The path of a SCIM operation cannot be read.',
    fix: 'Correct the path that `detail` names.',
  },
  scim_value_invalid: {
    status: 400,
    meaning: 'A value of a SCIM request is missing, has another type, or names an unknown member.',
    fix: 'Correct the value that `detail` names.',
  },
  directory_protected: {
    status: 403,
    meaning: 'The directory cannot suspend or remove the last owner or a break-glass owner.',
    fix: 'Make another member an owner, or take the break-glass access away, on the pages of Portbook.',
  },
  scim_duplicate: {
    status: 409,
    meaning: 'Another member or group has the user name, the address, the external id or the name.',
    fix: 'Find it with a filter, and update it.',
  },
  not_implemented: {
    status: 501,
    meaning: 'SCIM defines the operation, and Portbook does not offer it.',
    fix: 'Send one request for each resource.',
  },
} as const
