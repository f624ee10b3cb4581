import type { Route } from '../route.ts';
import { listAudit } from './audit.ts';
import { createBusiness, getBusiness, listBusinesses, updateBusiness } from './businesses.ts';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from './categories.ts';
import { arriveFromPlatform, chooseAccounts, connectIntegration, getConnection } from './connections.ts';
import { createFeedback, getFeedback, listFeedback } from './feedback.ts';
import { createFile, deleteFile, getFile, listFiles, updateFile } from './files.ts';
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from './folders.ts';
import { getHealth } from './health.ts';
import { acceptInvitation, cancelInvitation, createInvitation, getInvitation, listInvitations, resendInvitation } from './invitations.ts';
import { deleteIntegration, getIntegration, listChoices, listIntegrations, refreshIntegration, updateIntegration } from './integrations.ts';
import { createApiKey, deleteKey, getKey, listKeys, rotateApiKey } from './keys.ts';
import { deleteMedia, getMedia, listLibrary, updateMedia } from './library.ts';
import { getMe, updateMe } from './me.ts';
import { getMember, listMembers, removeMember, updateMember } from './members.ts';
import { importMedia } from './media.ts';
import { deauthorizeMetaUser, deleteMetaUserData, getDataDeletion } from './meta.ts';
import { getOrganization, listOrganizations, updateOrganization } from './organizations.ts';
import { arriveFromOidcProvider, beginOidcSignIn, finishOidcSignIn, listOidcProviders } from './oidc.ts';
import { changePassword, forgotPassword, resendEmailVerification, resetPassword, verifyEmail } from './passwords.ts';
import { getPlan } from './plans.ts';
import { listPlatforms } from './platforms.ts';
import { publishPost, reviewPost, schedulePost, unschedulePost } from './posts-actions.ts';
import { createPost, deletePost, getPost, listPosts, updatePost, validatePost } from './posts.ts';
import { endOtherSessions, endSession, listSessions, signOut } from './sessions.ts';
import { readInvitation, refreshTokens, signIn, signUp } from './sign-in.ts';
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics.ts';
import { cancelUpload, createUpload, describeUploads, getUpload, sendUploadPart, uploadMedia } from './uploads.ts';
import { getUsage } from './usage.ts';

/** The whole API. */
export const routes: readonly Route[] = [
  listBusinesses,
  createBusiness,
  getBusiness,
  updateBusiness,
  listTopics,
  createTopic,
  getTopic,
  updateTopic,
  deleteTopic,
  listCategories,
  createCategory,
  getCategory,
  updateCategory,
  deleteCategory,
  listFiles,
  createFile,
  getFile,
  updateFile,
  deleteFile,
  listFolders,
  createFolder,
  getFolder,
  updateFolder,
  deleteFolder,
  createPost,
  listPosts,
  validatePost,
  getPost,
  updatePost,
  deletePost,
  publishPost,
  schedulePost,
  unschedulePost,
  reviewPost,
  listIntegrations,
  connectIntegration,
  getConnection,
  chooseAccounts,
  arriveFromPlatform,
  deauthorizeMetaUser,
  deleteMetaUserData,
  getDataDeletion,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  refreshIntegration,
  listChoices,
  listPlatforms,
  listLibrary,
  uploadMedia,
  createUpload,
  describeUploads,
  getUpload,
  sendUploadPart,
  cancelUpload,
  importMedia,
  getMedia,
  updateMedia,
  deleteMedia,
  listKeys,
  createApiKey,
  getKey,
  deleteKey,
  rotateApiKey,
  listOrganizations,
  getOrganization,
  updateOrganization,
  getPlan,
  getUsage,
  listAudit,
  createFeedback,
  listFeedback,
  getFeedback,
  getHealth,
  signUp,
  signIn,
  refreshTokens,
  signOut,
  readInvitation,
  forgotPassword,
  resetPassword,
  changePassword,
  verifyEmail,
  resendEmailVerification,
  listSessions,
  endSession,
  endOtherSessions,
  listOidcProviders,
  beginOidcSignIn,
  arriveFromOidcProvider,
  finishOidcSignIn,
  getMe,
  updateMe,
  listMembers,
  getMember,
  updateMember,
  removeMember,
  listInvitations,
  createInvitation,
  getInvitation,
  cancelInvitation,
  resendInvitation,
  acceptInvitation,
];
