/** What each tag of the route table is about, in the order in which the docs page shows them. */
export const TAGS: Readonly<Record<string, string>> = {
  Businesses: 'Workspaces of an organization: each has its brand profile, its connected accounts and its posts.',
  Posts: 'Texts, pictures and videos for the connected accounts of a business: as drafts, at a time, or now.',
  Media: 'Pictures and videos: uploaded, or fetched from a URL.',
  Integrations: 'The connected social accounts of a business.',
  Topics: 'What a business wants to write about.',
  Categories: 'Groups of topics.',
  Keys: 'API keys of an organization. A secret is shown once, when it is made.',
  Usage: 'How much of its limits and quotas an organization has used.',
  Audit: 'Who did what, when and from where.',
  Feedback: 'What you want to tell us.',
  Health: 'Whether the parts of the service work.',
  'Sign-in': 'How people get access tokens.',
  Users: 'The signed-in user.',
  Organizations: 'The organizations of a user, and their plans.',
  Members: 'Who belongs to an organization, and in which role: `owner`, `admin`, `editor` or `viewer`.',
  Invitations: 'Asking people into an organization, by mail.',
};
