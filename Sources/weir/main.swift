import WeirKit
