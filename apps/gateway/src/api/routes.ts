import type { Route } from '../http/route.ts';
import { listAudit } from './audit/routes.ts';
import { createBusiness, getBusiness, listBusinesses, updateBusiness } from './businesses/routes.ts';
import { createCategory, deleteCategory, getCategory, listCategories, updateCategory } from './categories/routes.ts';
import { createFeedback, getFeedback, listFeedback } from './feedback/routes.ts';
import { createFile, deleteFile, getFile, listFiles, updateFile } from './files/routes.ts';
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from './folders/routes.ts';
import { getHealth } from './health/routes.ts';
import { arriveFromPlatform, chooseAccounts, connectIntegration, getConnection } from './integrations/connection-routes.ts';
import { deauthorizeMetaUser, deleteMetaUserData, getDataDeletion } from './integrations/meta-routes.ts';
import {
  deleteIntegration,
  getIntegration,
  listChoices,
  listIntegrations,
  refreshIntegration,
  updateIntegration,
} from './integrations/routes.ts';
import {
  acceptInvitation,
  cancelInvitation,
  createInvitation,
  getInvitation,
  listInvitations,
  resendInvitation,
} from './invitations/routes.ts';
import { createApiKey, deleteKey, getKey, listKeys, rotateApiKey } from './keys/routes.ts';
import { getMe, updateMe } from './me/routes.ts';
import { importMedia } from './media/import-routes.ts';
import { deleteMedia, getMedia, listLibrary, updateMedia } from './media/routes.ts';
import { cancelUpload, createUpload, describeUploads, getUpload, sendUploadPart, uploadMedia } from './media/upload-routes.ts';
import { getMember, listMembers, removeMember, updateMember } from './members/routes.ts';
import { arriveFromOidcProvider, beginOidcSignIn, finishOidcSignIn, listOidcProviders } from './oidc/routes.ts';
import { getOrganization, listOrganizations, updateOrganization } from './organizations/routes.ts';
import { getPlan } from './plans/routes.ts';
import { listPlatforms } from './platforms/routes.ts';
import { publishPost, reviewPost, schedulePost, unschedulePost } from './posts/action-routes.ts';
import { createPost, deletePost, getPost, listPosts, updatePost, validatePost } from './posts/routes.ts';
import { endOtherSessions, endSession, listSessions, signOut } from './sessions/routes.ts';
import { changePassword, forgotPassword, resendEmailVerification, resetPassword, verifyEmail } from './sign-in/password-routes.ts';
import { readInvitation, refreshTokens, signIn, signUp } from './sign-in/routes.ts';
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics/routes.ts';
import { getUsage } from './usage/routes.ts';

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
