/** The same things in every example of the description, by the names of path parameters. */
export const EXAMPLE_IDS = {
  organization_id: '0197f39e-2b40-7c5d-8e21-6a0b4c8d1e02',
  user_id: '0197f39e-6c11-7f3a-9b72-1d5e8a4f3b03',
  session_id: '0197f39e-7d22-7a4b-8c83-2e6f9b504c04',
  business_id: '0197f3a0-5c1e-7d2b-9a44-2f6f0c8e1b11',
  integration_id: '0197f3a1-77aa-7c03-8e21-4b1f0f6c2d22',
  connection_id: '0197f3a1-88bb-7d14-9f32-5c201e7d3e23',
  post_id: '0197f3a2-0d55-7f1e-b6a0-93a1c2d4e533',
  topic_id: '0197f3a3-5b6e-7a90-8f12-d0e1f2a3b444',
  category_id: '0197f3a3-1a2b-7c3d-9e4f-5a6b7c8d9e43',
  media_id: '0197f3a5-3c4d-7e5f-8a6b-7c8d9e0f1a55',
  file_id: '0197f3a6-4d5e-7f60-9b7c-8d9e0f1a2b66',
  folder_id: '0197f3a6-2b3c-7d4e-8f5a-6b7c8d9e0f65',
  key_id: '0197f39f-8e33-7b5c-9d94-3f70ac615d05',
  invitation_id: '0197f3a7-5e6f-7071-8c8d-9e0f1a2b3c77',
  feedback_id: '0197f3a8-6f70-7182-9d9e-0f1a2b3c4d88',
  option: 'board_id',
} as const;
